import { DAY_MS } from '@sluice/contract/time/durations';
import { type DayOfMonth, dayInMonth, readDayOfMonth, WEEKDAYS } from './day-of-month.ts';
import type { LocalTime } from './local-time.ts';

/** The starts of a series whose rule is simple. A period is a day or some months, counted from the first start. */
export interface SeriesStarts {
  /** The start in a period; undefined: the period has none. */
  startIn(period: number): LocalTime | undefined;
  /** The period of a local time that is not before the first start. */
  periodOf(local: LocalTime): number;
  /** Two starts are at most so many periods apart. */
  readonly gap: number;
  /** Limit on the periods to look at, one after the other. */
  readonly most: number;
}

/** The parts of a rule that do not change on which days it occurs. */
const ALWAYS = ['FREQ', 'INTERVAL', 'UNTIL', 'COUNT', 'WKST'];
const OF_DAYS = new Set([...ALWAYS, 'BYDAY']);
const OF_MONTHS = new Set([...ALWAYS, 'BYDAY', 'BYMONTHDAY', 'BYSETPOS', 'BYMONTH']);
const MAX_INTERVAL = 1000;

type Rule = ReadonlyMap<string, string>;

/** How many days, weeks, months or years are between two periods of a rule. */
export function intervalOf(rule: Rule): number {
  return Math.max(1, Math.trunc(Number(rule.get('INTERVAL') ?? 1)) || 1);
}

/** The starts of a series that begins at `first`; undefined if its rule is not simple. */
export function seriesStarts(rule: Rule, first: LocalTime): SeriesStarts | undefined {
  if (intervalOf(rule) > MAX_INTERVAL) return undefined;
  switch (rule.get('FREQ')) {
    case 'DAILY':
    case 'WEEKLY':
      return startsByDay(rule, first);
    case 'MONTHLY':
    case 'YEARLY':
      return startsByMonth(rule, first);
    default:
      return undefined;
  }
}

function hasOnly(rule: Rule, parts: ReadonlySet<string>): boolean {
  return [...rule.keys()].every((name) => parts.has(name));
}

function startsByDay(rule: Rule, first: LocalTime): SeriesStarts | undefined {
  const occurs = hasOnly(rule, OF_DAYS) ? dayTest(rule, first) : undefined;
  return (
    occurs && {
      startIn: (day) => (occurs(day) ? first + day * DAY_MS : undefined),
      periodOf: (local) => Math.floor((local - first) / DAY_MS),
      gap: 7 * intervalOf(rule) + 3,
      most: 3000,
    }
  );
}

/** Whether a series occurs so many days after its start. */
function dayTest(rule: Rule, start: LocalTime): ((day: number) => boolean) | undefined {
  const interval = intervalOf(rule);
  const weekdays = rule
    .get('BYDAY')
    ?.split(',')
    .map((name) => WEEKDAYS.indexOf(name.trim()));
  if (weekdays?.includes(-1)) return undefined;
  const first = new Date(start).getUTCDay();
  const isWanted = (day: number) => weekdays === undefined || weekdays.includes((first + day) % 7);
  if (rule.get('FREQ') === 'DAILY') return (day) => day % interval === 0 && isWanted(day);
  const weekStart = Math.max(0, WEEKDAYS.indexOf(rule.get('WKST') ?? 'MO'));
  const intoWeek = (first - weekStart + 7) % 7;
  const isInWeek = (day: number) => Math.floor((day + intoWeek) / 7) % interval === 0;
  return (day) => isInWeek(day) && (weekdays === undefined ? day % 7 === 0 : isWanted(day));
}

function startsByMonth(rule: Rule, first: LocalTime): SeriesStarts | undefined {
  const start = new Date(first);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  const wanted = hasOnly(rule, OF_MONTHS) ? readDayOfMonth(rule, start.getUTCDate()) : undefined;
  if (wanted === undefined || !isOneDay(wanted) || !isOneMonth(rule, month)) return undefined;
  const step = (rule.get('FREQ') === 'YEARLY' ? 12 : 1) * intervalOf(rule);
  const timeOfDay = ((first % DAY_MS) + DAY_MS) % DAY_MS;
  return {
    startIn(period) {
      const months = month + period * step;
      const [itsYear, itsMonth] = [year + Math.floor(months / 12), months % 12];
      const day = dayInMonth(wanted, itsYear, itsMonth);
      if (day === undefined) return undefined;
      const local = new Date(0).setUTCFullYear(itsYear, itsMonth, day) + timeOfDay;
      return local < first ? undefined : local;
    },
    periodOf(local) {
      const date = new Date(local);
      const months = (date.getUTCFullYear() - year) * 12 + date.getUTCMonth() - month;
      return Math.floor(months / step);
    },
    // A year without its day, such as the fifth Monday of February, comes at most 40 years after the one before.
    gap: 100,
    most: 600,
  };
}

/** A month has several Mondays, but only one second Monday. */
function isOneDay({ weekday, nth, days }: DayOfMonth): boolean {
  if (weekday === null) return days.length === 1;
  return nth === null ? days.length > 0 && days.length <= 7 : days.length === 0;
}

/** Without BYMONTH, the days of a yearly rule are in every month. */
function isOneMonth(rule: Rule, month: number): boolean {
  const named = rule.get('BYMONTH');
  if (rule.get('FREQ') === 'MONTHLY') return named === undefined;
  if (named === undefined) return !rule.has('BYDAY') && !rule.has('BYMONTHDAY');
  return Number(named) === month + 1;
}
