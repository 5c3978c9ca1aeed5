/** An ISO 8601 datetime either names one instant, or `detail` says what is wrong and shows a right example. */
export type InstantResult =
  | { readonly ok: true; readonly epochMs: number }
  | { readonly ok: false; readonly detail: string };

const EXAMPLE = '2026-12-01T18:00:00+01:00';

// Calendar date, T, hours and minutes; seconds, fraction and offset may be absent.
const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|([+-])(\d{2})(?::?(\d{2}))?)?$/;

/** The years 0000 to 9999 in UTC: what the four digits of every output can say. */
const FIRST_INSTANT = -62_167_219_200_000;
const LAST_INSTANT = 253_402_300_799_999;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The one datetime parser: webhook, CLI, imports and dashboard all read datetimes with it.
 * A value with no offset is UTC (service.md 2.4). Fractions are kept to the millisecond, the rest is cut off,
 * because that is what MongoDB stores and what an event's identity is made of.
 */
export function parseInstant(text: string): InstantResult {
  const parts = SHAPE.exec(text);
  if (parts === null) return wrong(text, 'is not an ISO 8601 datetime with a date and a time');
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
  if (month < 1 || month > 12) return wrong(text, `has no such month (${parts[2]})`);
  if (day < 1 || day > daysInMonth(year, month)) return wrong(text, 'names a date that does not exist');
  if (hour > 23) return wrong(text, `has no such hour (${parts[4]}; hours go from 00 to 23)`);
  if (minute > 59) return wrong(text, `has no such minute (${parts[5]})`);
  if (second > 59) return wrong(text, `has no such second (${parts[6]}; leap seconds are not accepted)`);
  const offset = offsetMinutes(parts);
  if (offset === undefined) return wrong(text, `has no such offset (${parts[8]})`);
  const milliseconds = parts[7] === undefined ? 0 : Number(parts[7].slice(0, 3).padEnd(3, '0'));
  const epochMs =
    utcOf(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
  if (epochMs < FIRST_INSTANT || epochMs > LAST_INSTANT)
    return wrong(text, 'lies outside the years 0000 to 9999 in UTC');
  return { ok: true, epochMs };
}

/** The form every output uses: UTC with milliseconds, such as `2026-12-01T17:00:00.000Z`. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Midnight of a date. Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not. */
function utcOf(year: number, month: number, day: number): number {
  return year > 99 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
}

function offsetMinutes(parts: RegExpExecArray): number | undefined {
  const sign = parts[9];
  if (sign === undefined) return 0;
  const hours = Number(parts[10]);
  const minutes = Number(parts[11] ?? 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] as number);
}

function wrong(text: string, what: string): InstantResult {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return { ok: false, detail: `"${shown}" ${what}. Example: ${EXAMPLE}` };
}
