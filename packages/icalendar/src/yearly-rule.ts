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
const READ = new Set(['FREQ', 'INTERVAL', 'BYMONTH', 'BYDAY', 'BYMONTHDAY', 'UNTIL', 'WKST']);

/** Reads the yearly rule of a time zone; undefined for any other rule. `offset`: before the change, in milliseconds. */
export function yearlyRule(text: string, first: LocalTime, offset: number): YearlyRule | undefined {
  const rule = readRule(text);
  if (rule.get('FREQ') !== 'YEARLY' || (rule.get('INTERVAL') ?? '1') !== '1') return undefined;
  if ([...rule.keys()].some((name) => !READ.has(name))) return undefined;
  const start = new Date(first);
  const month = Number(rule.get('BYMONTH') ?? start.getUTCMonth() + 1) - 1;
  const byDay = /^([+-]?[1-5])?(SU|MO|TU|WE|TH|FR|SA)$/.exec(rule.get('BYDAY') ?? '');
  const days = (rule.get('BYMONTHDAY') ?? '').split(',').filter(Boolean).map(Number);
  const untilText = rule.get('UNTIL');
  const until = untilText === undefined ? null : readCalendarTime(untilText);
  const wrongDays = days.some((day) => !Number.isInteger(day) || Math.abs(day) > 31 || day === 0);
  if (!(month >= 0 && month <= 11) || wrongDays || until === undefined) return undefined;
  if (rule.has('BYDAY') && byDay === null) return undefined;
  return {
    month,
    weekday: byDay === null ? null : WEEKDAYS.indexOf(byDay[2] as string),
    nth: byDay?.[1] === undefined ? null : Number(byDay[1]),
    days: days.length > 0 || byDay !== null ? days : [start.getUTCDate()],
    timeOfDay: first - Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()),
    until:
      until === null
        ? Number.POSITIVE_INFINITY
        : until.local + (until.utc ? offset : until.wholeDay ? DAY_MS - 1 : 0),
  };
}

/** The change in a year; undefined if there is none. It checks at most 31 days. */
export function yearlyOnset(rule: YearlyRule, year: number): LocalTime | undefined {
  const day = dayOf(rule, year);
  if (day === undefined) return undefined;
  const onset = Date.UTC(year, rule.month, day) + rule.timeOfDay;
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
