import { DAY_MS } from '@sluice/contract/time/durations';
import { type DayOfMonth, dayInMonth, readDayOfMonth } from './day-of-month.ts';
import { type LocalTime, readCalendarTime } from './local-time.ts';
import { readRule } from './recurrence.ts';

/** When the clocks change each year, such as the last Sunday of March. */
export interface YearlyRule extends DayOfMonth {
  /** 0 is January. */
  readonly month: number;
  readonly timeOfDay: number;
  /** The latest possible change. */
  readonly until: LocalTime;
}

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
  if (rule.get('FREQ') !== 'YEARLY' || (rule.get('INTERVAL') ?? '1') !== '1') return undefined;
  if ([...rule.keys()].some((name) => !READ.has(name))) return undefined;
  const start = new Date(first);
  const month = Number(rule.get('BYMONTH') ?? start.getUTCMonth() + 1) - 1;
  const day = readDayOfMonth(rule, start.getUTCDate());
  const untilText = rule.get('UNTIL');
  const until = untilText === undefined ? null : readCalendarTime(untilText);
  const count = rule.has('COUNT') ? Number(rule.get('COUNT')) : null;
  if (count !== null && !(Number.isInteger(count) && count > 0)) return undefined;
  if (!(month >= 0 && month <= 11) || day === undefined || until === undefined) return undefined;
  const yearly: YearlyRule = {
    ...day,
    month,
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

/** The change in a year; undefined if there is none. */
export function yearlyOnset(rule: YearlyRule, year: number): LocalTime | undefined {
  const day = dayInMonth(rule, year, rule.month);
  if (day === undefined) return undefined;
  const onset = new Date(0).setUTCFullYear(year, rule.month, day) + rule.timeOfDay;
  return onset <= rule.until ? onset : undefined;
}
