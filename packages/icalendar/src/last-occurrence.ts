import { DAY_MS } from '@sluice/contract/durations';
import { type CalendarTime, type LocalTime, readCalendarTime } from './local-time.ts';
import { readRule } from './recurrence.ts';
import { intervalOf, type SeriesStarts, seriesStarts } from './series-starts.ts';
import type { Zone } from './zone.ts';

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
  const until = readCalendarTime(rule.get('UNTIL') ?? '');
  const count = Number(rule.get('COUNT') ?? Number.NaN);
  const isCounted = Number.isFinite(count) && count >= 1;
  if (until === undefined && !isCounted) return undefined;
  const { local } = start.time;
  const starts = seriesStarts(rule, local);
  const last =
    until !== undefined
      ? lastUntil(starts, start, instantOfUntil(until, start.zone))
      : start.zone(lastOfCount(starts, count) ?? latestOfCount(rule, local, count));
  return !Number.isFinite(last) || Math.abs(last) > MAX_TIME ? undefined : last;
}

/** A date without a time includes its whole day (RFC 5545, section 3.3.10). */
function instantOfUntil({ local, utc, wholeDay }: CalendarTime, zone: Zone): number {
  if (utc) return local;
  return wholeDay ? zone(local + DAY_MS) - 1 : zone(local);
}

/** `until`: milliseconds since the Unix epoch. */
function lastUntil(starts: SeriesStarts | undefined, { time, zone }: RecurringStart, until: number): number {
  if (starts === undefined) return until;
  // The local day of an instant is at most one day away from that in UTC.
  const latest = starts.periodOf(until + 2 * DAY_MS);
  for (let period = latest; period >= Math.max(0, latest - starts.gap); period--) {
    const local = starts.startIn(period);
    if (local !== undefined && zone(local) <= until) return zone(local);
  }
  return zone(time.local);
}

/** Undefined if the rule is not simple, or has too many occurrences to be counted. */
function lastOfCount(starts: SeriesStarts | undefined, count: number): LocalTime | undefined {
  if (starts === undefined || count > starts.most) return undefined;
  let left = Math.ceil(count);
  for (let period = 0; period < starts.most; period++) {
    const local = starts.startIn(period);
    if (local !== undefined) left -= 1;
    if (left === 0) return local;
  }
  return undefined;
}

/** Such a part may leave all but one period of a year without an occurrence. */
const ONCE_A_YEAR = ['BYMONTH', 'BYYEARDAY', 'BYWEEKNO'];

/** The latest time that the last of so many occurrences can have. Exact for days and weeks without other parts. */
function latestOfCount(rule: ReadonlyMap<string, string>, local: LocalTime, count: number): LocalTime {
  const interval = intervalOf(rule);
  const days = (rule.get('BYDAY') ?? '').split(',').length;
  if (ONCE_A_YEAR.some((name) => rule.has(name))) return monthsAfter(local, 12 * count * interval);
  switch (rule.get('FREQ')) {
    case 'DAILY':
      return rule.has('BYMONTHDAY')
        ? monthsAfter(local, 2 * count * interval)
        : local + (rule.has('BYDAY') ? 7 * count : count - 1) * interval * DAY_MS;
    case 'WEEKLY':
      return local + (rule.has('BYDAY') ? Math.ceil(count / days) : count - 1) * interval * 7 * DAY_MS;
    case 'MONTHLY':
      return monthsAfter(local, count * interval * (new Date(local).getUTCDate() > 28 ? 2 : 1));
    default:
      return monthsAfter(local, 12 * count * interval * (isLeapDay(local) ? 8 : 1));
  }
}

function monthsAfter(local: LocalTime, months: number): LocalTime {
  return new Date(local).setUTCMonth(new Date(local).getUTCMonth() + months);
}

function isLeapDay(local: LocalTime): boolean {
  const date = new Date(local);
  return date.getUTCMonth() === 1 && date.getUTCDate() === 29;
}
