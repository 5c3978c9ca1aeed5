import { type CalendarTime, type LocalTime, readCalendarTime } from './local-time.ts';
import { readRule } from './recurrence.ts';
import type { Zone } from './zone.ts';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** The parts that a simple rule has. The occurrences of other rules are not computed. */
const SIMPLE = new Set(['FREQ', 'INTERVAL', 'UNTIL', 'COUNT', 'WKST', 'BYDAY']);
const MAX_TIME = 8.64e15;

export interface RecurringStart {
  readonly time: CalendarTime;
  readonly zone: Zone;
}

/**
 * When the last occurrence of a rule starts, in milliseconds since the Unix epoch; undefined if the rule has no end. For a rule that
 * is not simple, it is the latest time that is possible: an event that is over by then has no occurrence left.
 */
export function lastOccurrence(text: string, start: RecurringStart): number | undefined {
  const rule = readRule(text);
  const interval = Math.max(1, Math.trunc(Number(rule.get('INTERVAL') ?? 1)) || 1);
  const until = readCalendarTime(rule.get('UNTIL') ?? '');
  const count = Number(rule.get('COUNT') ?? Number.NaN);
  const last =
    until !== undefined
      ? lastUntil(rule, interval, { start, until: instantOfUntil(until, start.zone) })
      : Number.isFinite(count) && count >= 1
        ? start.zone(lastOfCount(rule, interval, { start, count }))
        : undefined;
  return last === undefined || !Number.isFinite(last) || Math.abs(last) > MAX_TIME ? undefined : last;
}

/** A date without a time includes its whole day (RFC 5545, section 3.3.10). */
function instantOfUntil({ local, utc, wholeDay }: CalendarTime, zone: Zone): number {
  if (utc) return local;
  return wholeDay ? zone(local + DAY_MS) - 1 : zone(local);
}

interface Until {
  readonly start: RecurringStart;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

function lastUntil(rule: ReadonlyMap<string, string>, interval: number, { start, until }: Until): number {
  const occurs = dayTest(rule, interval, start.time.local);
  if (occurs === undefined) return until;
  // The local day of an instant is at most one day away from that in UTC.
  const days = Math.floor((until + 2 * DAY_MS - start.time.local) / DAY_MS);
  for (let day = days; day >= Math.max(0, days - 7 * interval - 3); day--) {
    const local = start.time.local + day * DAY_MS;
    if (occurs(day) && start.zone(local) <= until) return start.zone(local);
  }
  return start.zone(start.time.local);
}

/** Whether a daily or weekly series occurs so many days after its start; undefined for other rules. */
function dayTest(
  rule: ReadonlyMap<string, string>,
  interval: number,
  start: LocalTime,
): ((day: number) => boolean) | undefined {
  if ([...rule.keys()].some((name) => !SIMPLE.has(name)) || interval > 1000) return undefined;
  const weekdays = rule
    .get('BYDAY')
    ?.split(',')
    .map((name) => WEEKDAYS.indexOf(name.trim()));
  if (weekdays?.includes(-1)) return undefined;
  const first = new Date(start).getUTCDay();
  const isWanted = (day: number) => weekdays === undefined || weekdays.includes((first + day) % 7);
  switch (rule.get('FREQ')) {
    case 'DAILY':
      return (day) => day % interval === 0 && isWanted(day);
    case 'WEEKLY': {
      const weekStart = Math.max(0, WEEKDAYS.indexOf(rule.get('WKST') ?? 'MO'));
      const intoWeek = (first - weekStart + 7) % 7;
      const isInWeek = (day: number) => Math.floor((day + intoWeek) / 7) % interval === 0;
      return (day) => isInWeek(day) && (weekdays === undefined ? day % 7 === 0 : isWanted(day));
    }
    default:
      return undefined;
  }
}

interface Count {
  readonly start: RecurringStart;
  readonly count: number;
}

function lastOfCount(
  rule: ReadonlyMap<string, string>,
  interval: number,
  { start, count }: Count,
): LocalTime {
  const { local } = start.time;
  const days = (rule.get('BYDAY') ?? '').split(',').length;
  switch (rule.get('FREQ')) {
    case 'DAILY':
      return local + (rule.has('BYDAY') ? 7 * count : count - 1) * interval * DAY_MS;
    case 'WEEKLY':
      return local + (days === 1 ? count - 1 : Math.ceil(count / days)) * interval * 7 * DAY_MS;
    case 'MONTHLY':
      return monthsAfter(local, (count - 1) * interval * (new Date(local).getUTCDate() > 28 ? 2 : 1));
    default:
      return monthsAfter(local, 12 * (count - 1) * interval * (isLeapDay(local) ? 8 : 1));
  }
}

function monthsAfter(local: LocalTime, months: number): LocalTime {
  return new Date(local).setUTCMonth(new Date(local).getUTCMonth() + months);
}

function isLeapDay(local: LocalTime): boolean {
  const date = new Date(local);
  return date.getUTCMonth() === 1 && date.getUTCDate() === 29;
}
