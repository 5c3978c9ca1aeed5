import { DAY_MS } from '@sluice/contract/time/durations';

/** A date and time of day without a time zone, in milliseconds as if it were UTC. */
export type LocalTime = number;

/** A value of DTSTART, DTEND and the like (RFC 5545, sections 3.3.4 and 3.3.5). */
export interface CalendarTime {
  readonly local: LocalTime;
  /** The text ends in Z or an offset, and `local` is the time in UTC. */
  readonly utc: boolean;
  /** How many milliseconds the offset of the text is ahead of UTC. 0 without one. */
  readonly offset: number;
  /** The text is a date without a time: the whole day. */
  readonly wholeDay: boolean;
}

/**
 * Programs also write the long form of ISO 8601, a blank for the T, no seconds or their fractions, or an offset. Each form names
 * one time only.
 */
const SHAPE =
  /^(?<year>\d{4})-?(?<month>\d{2})-?(?<day>\d{2})(?:[T ](?<hour>\d{2}):?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,]\d+)?)?(?<utc>Z|(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2}))?)?$/i;

/**
 * Reads a DATE or DATE-TIME; undefined for any other text, and for a date or time that doesn't exist. Changes of the clocks
 * may begin in the year 0 (`firstYear`), because programs write their earliest date. Events may not.
 */
export function readCalendarTime(text: string, { firstYear = FIRST_YEAR } = {}): CalendarTime | undefined {
  const parts = SHAPE.exec(text.trim())?.groups;
  if (parts === undefined) return undefined;
  const numberOf = (name: string) => Number(parts[name] ?? 0);
  const [year, month, day] = [numberOf('year'), numberOf('month'), numberOf('day')];
  // A leap second is read as the one before it (RFC 5545, section 3.3.12).
  const [hour, minute, second] = [numberOf('hour'), numberOf('minute'), numberOf('second')];
  const [hours, minutes] = [numberOf('hours'), numberOf('minutes')];
  if (hour > 23 || minute > 59 || second > 60 || year < firstYear) return undefined;
  if (hours > MAX_OFFSET_HOURS || minutes > 59) return undefined;
  const midnight = midnightOf(year, month, day);
  if (midnight === undefined) return undefined;
  const written = midnight + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000;
  const offset = (parts.sign === '-' ? -60_000 : 60_000) * (hours * 60 + minutes);
  return {
    ...{ local: written - offset, offset },
    ...{ utc: parts.utc !== undefined, wholeDay: parts.hour === undefined },
  };
}

/** The clocks of no place differ more from UTC. */
const MAX_OFFSET_HOURS = 18;

/** The beginning of a day (month: 1 is January); undefined if there is no such day. */
export function midnightOf(year: number, month: number, day: number): LocalTime | undefined {
  // Date.UTC would map years below 100 to the 20th century.
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(midnight);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? midnight : undefined;
}

/** The first year of an event. */
const FIRST_YEAR = 100;

/** Programs write fractions too (`PT1.5H`), which ISO 8601 knows and RFC 5545 does not. */
const DURATION =
  /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7}(?:[.,]\d{1,6})?)H)?(?:(\d{1,8}(?:[.,]\d{1,6})?)M)?(?:(\d{1,9}(?:[.,]\d{1,6})?)S)?)?$/i;

/** A DURATION (RFC 5545, section 3.3.6). Calendar days are added first, then exact time. */
export interface Duration {
  readonly daysMs: number;
  readonly exactMs: number;
}

/** Reads a DURATION, which may be negative or empty (`PT`); undefined for any other text. */
export function readDuration(text: string): Duration | undefined {
  const parts = DURATION.exec(text.trim());
  if (parts === null) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number((part ?? '0').replace(',', '.')));
  const sign = parts[1] === '-' ? -1 : 1;
  return {
    daysMs: sign * (weeks * 7 + days) * DAY_MS,
    exactMs: sign * Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000),
  };
}
