import { DAY_MS } from '@sluice/contract/time/durations';
import { type CalendarTime, type LocalTime, readCalendarTime } from './local-time.ts';
import type { Zone } from './named-zone.ts';
import { readRule } from './recurrence.ts';
import { intervalOf, type SeriesStarts, seriesStarts } from './series-starts.ts';

type Rule = ReadonlyMap<string, string>;

const MAX_TIME = 8.64e15;

export interface RecurringStart {
  readonly time: CalendarTime;
  readonly zone: Zone;
}

/**
 * When the last occurrence of a rule starts, in milliseconds since the Unix epoch; undefined if the rule has no end, or none that can be
 * computed. For a rule that is not simple, it is the latest time that is possible: an event that is over by then has no occurrence left.
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
      ? lastUntil(starts, start, instantOfUntil(until, start))
      : start.zone(lastOfCount(starts, count) ?? latestOfCount(rule, local, count) ?? Number.NaN);
  return !Number.isFinite(last) || Math.abs(last) > MAX_TIME ? undefined : last;
}

/**
 * A date without a time includes its whole day (RFC 5545, section 3.3.10). Programs write the midnight of that day, in UTC, also for series
 * of whole days.
 */
function instantOfUntil({ local, utc, wholeDay }: CalendarTime, { time, zone }: RecurringStart): number {
  const isDay = wholeDay || (time.wholeDay && utc && local % DAY_MS === 0);
  if (isDay) return zone(local + DAY_MS) - 1;
  return utc ? local : zone(local);
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

const COUNTABLE = new Set(['FREQ', 'INTERVAL', 'COUNT', 'WKST', 'BYDAY', 'BYMONTH', 'BYMONTHDAY']);

/**
 * The latest time that the last of so many occurrences can have. Undefined for a rule that may leave a period without an occurrence,
 * such as one of February 29 or of Friday the 13th. Exact for days and weeks without other parts.
 */
function latestOfCount(rule: Rule, local: LocalTime, count: number): LocalTime | undefined {
  if (![...rule.keys()].every((name) => COUNTABLE.has(name))) return undefined;
  const interval = intervalOf(rule);
  const days = new Set(rule.get('BYDAY')?.split(',') ?? []).size;
  const step = rule.has('BYMONTH') ? 12 : 1;
  // The weekday of a later period may come later than that of the first.
  const counted = days > 0 ? count + 1 : count;
  switch (rule.get('FREQ')) {
    case 'DAILY':
      if (step === 1 && !rule.has('BYMONTHDAY'))
        return local + (days > 0 ? 7 * count : count - 1) * interval * DAY_MS;
      return interval === 1 && isInEachMonth(rule, local) ? monthsAfter(local, counted * step) : undefined;
    case 'WEEKLY':
      if (rule.has('BYMONTH') || rule.has('BYMONTHDAY')) return undefined;
      return local + (days > 0 ? Math.ceil(count / days) : count - 1) * interval * 7 * DAY_MS;
    case 'MONTHLY':
      return isInEachMonth(rule, local) ? monthsAfter(local, counted * interval * step) : undefined;
    case 'YEARLY':
      return isInEachMonth(rule, local) ? monthsAfter(local, counted * interval * 12) : undefined;
    default:
      return undefined;
  }
}

const UP_TO_FOURTH = /^(?:[+-]?[1-4])?(?:SU|MO|TU|WE|TH|FR|SA)$/;

/** Whether each month has a day that BYDAY or BYMONTHDAY names, else the day of the start. */
function isInEachMonth(rule: Rule, local: LocalTime): boolean {
  const [weekdays, days] = [rule.get('BYDAY'), rule.get('BYMONTHDAY')];
  if (weekdays !== undefined)
    return days === undefined && weekdays.split(',').every((one) => UP_TO_FOURTH.test(one));
  if (days === undefined) return new Date(local).getUTCDate() <= 28;
  return days.split(',').some((day) => Math.abs(Number(day)) >= 1 && Math.abs(Number(day)) <= 28);
}

function monthsAfter(local: LocalTime, months: number): LocalTime {
  return new Date(local).setUTCMonth(new Date(local).getUTCMonth() + months);
}
