import { type LocalTime, readCalendarTime } from './local-time.ts';
import { readRule } from './recurrence.ts';

/** When the clocks change each year, such as the last Sunday of March. */
export interface YearlyRule {
  /** 0 is January. */
  readonly month: number;
  /** Constraints on the day: weekday (0 is Sunday), nth such weekday (negative: from the end), days of the month. */
  readonly weekday: number | null;
  readonly nth: number | null;
  readonly days: readonly number[];
  readonly timeOfDay: number;
  /** The latest possible change. */
  readonly until: LocalTime;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const READ = new Set([
  'FREQ',
  'INTERVAL',
  'BYMONTH',
  'BYDAY',
  'BYMONTHDAY',
  'BYSETPOS',
  'UNTIL',
  'COUNT',
  'WKST',
]);

/** Reads the yearly rule of a time zone; undefined for any other rule. `offset`: before the change, in milliseconds. */
export function yearlyRule(text: string, first: LocalTime, offset: number): YearlyRule | undefined {
  const rule = readRule(text);
  const position = /^-?[1-5]$/.exec(rule.get('BYSETPOS') ?? '');
  if (rule.has('BYSETPOS') && (position === null || rule.has('BYMONTHDAY') || !rule.has('BYDAY')))
    return undefined;
  if (rule.get('FREQ') !== 'YEARLY' || (rule.get('INTERVAL') ?? '1') !== '1') return undefined;
  if ([...rule.keys()].some((name) => !READ.has(name))) return undefined;
  const start = new Date(first);
  const month = Number(rule.get('BYMONTH') ?? start.getUTCMonth() + 1) - 1;
  const byDay = /^([+-]?[1-5])?(SU|MO|TU|WE|TH|FR|SA)$/.exec(rule.get('BYDAY') ?? '');
  const days = (rule.get('BYMONTHDAY') ?? '').split(',').filter(Boolean).map(Number);
  const untilText = rule.get('UNTIL');
  const until = untilText === undefined ? null : readCalendarTime(untilText);
  const count = rule.has('COUNT') ? Number(rule.get('COUNT')) : null;
  if (count !== null && !(Number.isInteger(count) && count > 0)) return undefined;
  const wrongDays = days.some((day) => !Number.isInteger(day) || Math.abs(day) > 31 || day === 0);
  if (!(month >= 0 && month <= 11) || wrongDays || until === undefined) return undefined;
  if (rule.has('BYDAY') && byDay === null) return undefined;
  const nth = byDay?.[1] ?? position?.[0];
  const yearly: YearlyRule = {
    month,
    weekday: byDay === null ? null : WEEKDAYS.indexOf(byDay[2] as string),
    nth: nth === undefined ? null : Number(nth),
    days: days.length > 0 || byDay !== null ? days : [start.getUTCDate()],
    timeOfDay: ((first % DAY_MS) + DAY_MS) % DAY_MS,
    until:
      until === null
        ? Number.POSITIVE_INFINITY
        : until.local + (until.utc ? offset : until.wholeDay ? DAY_MS - 1 : 0),
  };
  return count === null ? yearly : { ...yearly, until: Math.min(yearly.until, lastOf(yearly, first, count)) };
}

/** Years in which a counted rule is looked at. Later changes have no event. */
const MAX_YEARS = 600;

/** The last of `count` yearly changes, of which `first` is the first. */
function lastOf(rule: YearlyRule, first: LocalTime, count: number): LocalTime {
  const year = new Date(first).getUTCFullYear();
  let [left, last] = [count - 1, first];
  for (let next = year; left > 0 && next < year + MAX_YEARS; next++) {
    const onset = yearlyOnset(rule, next);
    if (onset === undefined || onset <= first) continue;
    left -= 1;
    last = onset;
  }
  return left > 0 ? Number.POSITIVE_INFINITY : last;
}

/** The change in a year; undefined if there is none. It checks at most 31 days. */
export function yearlyOnset(rule: YearlyRule, year: number): LocalTime | undefined {
  const day = dayOf(rule, year);
  if (day === undefined) return undefined;
  const onset = new Date(0).setUTCFullYear(year, rule.month, day) + rule.timeOfDay;
  return onset <= rule.until ? onset : undefined;
}

function dayOf({ month, weekday, nth, days }: YearlyRule, year: number): number | undefined {
  const first = Date.UTC(year, month, 1);
  const length = Math.round((Date.UTC(year, month + 1, 1) - first) / DAY_MS);
  const firstWeekday = new Date(first).getUTCDay();
  const fromEnd = nth !== null && nth < 0;
  let left = Math.abs(nth ?? 1);
  for (let step = 1; step <= length; step++) {
    const day = fromEnd ? length + 1 - step : step;
    if (weekday !== null && (firstWeekday + day - 1) % 7 !== weekday) continue;
    if (days.length > 0 && !days.includes(day) && !days.includes(day - length - 1)) continue;
    left -= 1;
    if (left === 0) return day;
  }
  return undefined;
}
