import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import { midnightOf } from '../calendar/local-time.ts';
import { namedZone } from '../calendar/named-zone.ts';
import { readWordedDate } from './worded-date.ts';

/** The order of day and month in dates such as 05/06/2027. */
export type DateOrder = 'day_first' | 'month_first';

export interface TimeSettings {
  /** The zone of times that name none: an IANA name, a name of Windows or an offset. */
  readonly zone: string;
  /** Absent: such dates are not read, because a wrong month is worse than none. */
  readonly order?: DateOrder;
  /** Calendar days that are added before the zone is applied: a night may have a change of the clocks. Default: 0. */
  readonly daysLater?: number;
}

export type CellTime =
  /** An instant as text for the action parser. `local`: the text named no zone. */
  | { readonly outcome: 'time'; readonly text: string; readonly local: boolean }
  /** The action parser explains what is wrong with it. */
  | { readonly outcome: 'other' };

/** The year first, as in China, Japan and Sweden. */
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]+(.*))?$/i;
/** The short form of ISO 8601, as in calendars. The time may have the long form. */
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2}):?(\d{2})(?::?(\d{2}))?(z|[+-]\d{2}:?\d{2})?)?$/i;
const BY_REGION = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|(?<!-)\d{2})(?:,?\s+(.*))?$/;
/** Some programs write `19:0:00`. */
const TIME = /^(\d{1,2})(?:(?:[:.](\d{2})|:(\d))(?:[:.](\d{1,2})(?:\.\d+)?)?)?\s*([ap])?\.?(?:m\.?)?$/i;
/** `18h30`, `18 h`, `18 Uhr`, `19:30 Uhr`. */
const WORDED_TIME = /^(\d{1,2})(?:\s?h\s?(\d{2})|(?:[:.](\d{2}))?\s?(?:h|uhr))$/i;
/**
 * Excel writes the days since 1899-12-30 if the column is not formatted as a date. These are from 1954 to 2119. German writes a
 * decimal comma.
 */
const SERIAL = /^([2-7]\d{4})(?:[.,](\d+))?$/;
/** An offset behind the time of day, with or without a blank. PostgreSQL writes the hours alone, always behind seconds. */
const WITH_OFFSET =
  /^(.*\d(?:\s*[ap]\.?m\.?)?)\s*(z|utc|gmt|[+-]\d{2}:?\d{2}|(?=[+-])(?<=:\d{2}:\d{2}(?:\.\d+)?)[+-]\d{2})$/i;
/** The form of ISO 8601. Other dates have a letter T too, as in Sat and Oct. */
const ISO_WITH_OFFSET = /^\d{4}-\d{2}-\d{2}t.*(?:z|[+-]\d{2}:?\d{2})$/i;

/**
 * Reads a date and time as spreadsheets and databases write them, in one cell or in two. A date alone is the whole day, from
 * midnight. A text of ISO 8601 with an offset is returned unchanged.
 */
export function readCellTime(date: string, time: string, settings: TimeSettings): CellTime {
  const { zone, order, daysLater = 0 } = settings;
  const written = plain(date);
  if (ISO_WITH_OFFSET.test(written)) return { outcome: 'time', text: written, local: false };
  const day = dayOf(written, order);
  const ofDay = plain(time) === '' ? (day?.rest ?? '') : plain(time);
  const zoned = WITH_OFFSET.exec(ofDay);
  const clock = clockOf(zoned?.[1] ?? ofDay);
  const toInstant = namedZone(zoned?.[2] ?? zone);
  if (day === undefined || clock === undefined || toInstant === undefined) return { outcome: 'other' };
  const midnight = midnightOf(day.year, day.month, day.day);
  // The action parser names what does not exist, such as 31 February.
  if (midnight === undefined) return { outcome: 'time', text: isoDay(day), local: zoned === null };
  const instant = new Date(toInstant(midnight + daysLater * DAY_MS + clock));
  const text = instant.toISOString().replace('.000Z', 'Z');
  return { outcome: 'time', text, local: zoned === null };
}

function isoDay({ year, month, day }: Day): string {
  const [y, m, d] = [
    String(year).padStart(4, '0'),
    ...[month, day].map((one) => String(one).padStart(2, '0')),
  ];
  return `${y}-${m}-${d}T00:00:00Z`;
}

/** The offset that a date and a time name, such as `+02:00`; undefined if they name none. */
export function offsetIn(date: string, time: string, { order }: TimeSettings): string | undefined {
  const ofDay = plain(time) === '' ? (dayOf(plain(date), order)?.rest ?? '') : plain(time);
  return WITH_OFFSET.exec(ofDay)?.[2];
}

/** Without blanks around it. Excel and web pages have blanks of other kinds, which look the same. */
function plain(text: string): string {
  const [, year, month, day, rest = ''] = EAST_ASIAN.exec(text) ?? [];
  return (year === undefined ? text : `${year}-${month}-${day} ${rest}`).replace(/\s/g, ' ').trim();
}

/** `2027年5月30日`, also in Korean. */
const EAST_ASIAN = /^\s*(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일](?:\s*[(（].[)）])?(.*)$/su;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The time of day behind the date. */
  readonly rest: string;
}

function dayOf(text: string, order: DateOrder | undefined): Day | undefined {
  const serial = SERIAL.exec(text);
  if (serial !== null) return dayOfSerial(Number(serial[1]), serial[2]);
  const first = YEAR_FIRST.exec(text);
  if (first !== null)
    return { year: Number(first[1]), month: Number(first[3]), day: Number(first[4]), rest: first[5] ?? '' };
  const compact = COMPACT.exec(text);
  if (compact !== null) return dayOfCompact(compact);
  const parts = BY_REGION.exec(text);
  if (parts === null) return readWordedDate(text);
  const [one, two] = [Number(parts[1]), Number(parts[3])];
  const dayFirst = parts[2] === '.' || one > 12 || (two <= 12 && order === 'day_first');
  if (!dayFirst && two <= 12 && order === undefined) return undefined;
  const [day, month] = dayFirst ? [one, two] : [two, one];
  return { year: yearOf(parts[4] as string), month, day, rest: parts[5] ?? '' };
}

function dayOfCompact([, year, month, day, hour, minute, second = '00', offset = '']: RegExpExecArray): Day {
  const rest = hour === undefined ? '' : `${hour}:${minute}:${second}${offset}`;
  return { year: Number(year), month: Number(month), day: Number(day), rest };
}

const SERIAL_ZERO = Date.UTC(1899, 11, 30);

/** Whether day and month of a date could be exchanged. */
export function isAmbiguousDay(text: string): boolean {
  const [, first, separator, second] = BY_REGION.exec(plain(text)) ?? [];
  return (
    separator !== undefined &&
    separator !== '.' &&
    Number(first) !== Number(second) &&
    Number(first) <= 12 &&
    Number(second) <= 12
  );
}

/** Whether a date is a day number of Excel, which may also be another number in a wrong column. */
export function isSerialDay(text: string): boolean {
  return SERIAL.test(text.trim());
}

/** The fraction is the time of day. Excel keeps it to the second. */
function dayOfSerial(days: number, fraction = '0'): Day {
  const ofDay = Math.round((Number(`0.${fraction}`) * DAY_MS) / 1000) * 1000;
  const at = new Date(SERIAL_ZERO + days * DAY_MS + ofDay);
  const rest = fraction === '0' ? '' : at.toISOString().slice(11, 19);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(), rest };
}

/** LibreOffice writes two digits, which mean a year from 1970 to 2069, as in most programs. */
function yearOf(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

/** Milliseconds since midnight; undefined for a text that is no time of day. */
function clockOf(text: string): number | undefined {
  if (text === '') return 0;
  const parts = TIME.exec(
    text.replace(WORDED_TIME, (_, hour, after, minute) => `${hour}:${after ?? minute ?? '00'}`),
  );
  if (parts === null) return undefined;
  const written = parts[2] ?? parts[3];
  const [minute, second] = [Number(written ?? 0), Number(parts[4] ?? 0)];
  const half = parts[5]?.toLowerCase();
  // A number alone is no time of day, unless am or pm follows it.
  if (written === undefined && half === undefined) return undefined;
  const first = Number(parts[1]);
  if (half !== undefined && (first < 1 || first > 12)) return undefined;
  const hour = half === undefined ? first : (first % 12) + (half === 'p' ? 12 : 0);
  // The end of the day (ISO 8601).
  if (hour === 24 && half === undefined && minute === 0 && second === 0) return DAY_MS;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return hour * HOUR_MS + minute * MINUTE_MS + second * 1000;
}

/**
 * The order of day and month in a column of dates: a number over 12 tells it. `american`: the file has the column names or the
 * times of a program that writes the month first. Undefined if nothing tells it.
 */
export function orderOf(dates: readonly string[], american: boolean): DateOrder | undefined {
  const parts = dates.flatMap((text) => {
    const found = BY_REGION.exec(plain(text));
    return found === null || found[2] === '.' ? [] : [[Number(found[1]), Number(found[3])] as const];
  });
  const [dayFirst, monthFirst] = [
    parts.some(([first]) => first > 12),
    parts.some(([, second]) => second > 12),
  ];
  if (dayFirst !== monthFirst) return dayFirst ? 'day_first' : 'month_first';
  return american && !dayFirst ? 'month_first' : undefined;
}
