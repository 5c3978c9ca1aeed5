import { MINUTE_MS } from './durations.ts';

/** The instant of an ISO 8601 datetime, or a `detail` that explains the error with a right example. */
export type InstantResult =
  | { readonly ok: true; readonly epochMs: number }
  | { readonly ok: false; readonly detail: string };

const EXAMPLE = '2026-12-01T18:00:00+01:00';

// The form is a calendar date, T, hours and minutes. Seconds, fraction and offset are optional.
const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|([+-])(\d{2})(?::?(\d{2}))?)?$/;

/** Every month has this day. */
const SHORTEST_MONTH = 28;
/** Date.UTC does not change these years, and an offset leaves them with four digits. */
const FIRST_PLAIN_YEAR = 100;
const LAST_PLAIN_YEAR = 9998;

/** The years 0000 to 9999 in UTC, because every output has four digits for them. */
const FIRST_INSTANT = -62_167_219_200_000;
const LAST_INSTANT = 253_402_300_799_999;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The one datetime parser, for webhook, CLI, imports and dashboard. A value without an offset is UTC (docs/limits.md).
 * Fractions are truncated to milliseconds, because MongoDB stores those and an event's identity consists of them.
 */
export function parseInstant(text: string): InstantResult {
  const plain = plainInstant(text);
  if (plain !== undefined) return { ok: true, epochMs: plain };
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

/** The form of every output: UTC with milliseconds, such as `2026-12-01T17:00:00.000Z`. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same of an instant that may be absent: null. */
export function instantOrNull(epochMs: number | null | undefined): string | null {
  return epochMs === null || epochMs === undefined ? null : formatInstant(epochMs);
}

/**
 * Reads the usual form: a date and a time to the second or millisecond with Z or an offset. It avoids the twelve strings of a
 * match (bench/speed-tried.md). It returns undefined for every other form, and for dates that do not exist.
 */
function plainInstant(text: string): number | undefined {
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return undefined;
  if (text[13] !== ':' || text[16] !== ':') return undefined;
  const [year, month, day] = [number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)];
  const [hour, minute, second] = [number(text, 11, 13), number(text, 14, 16), number(text, 17, 19)];
  const fraction = text[19] === '.';
  const milliseconds = fraction ? number(text, 20, 23) : 0;
  const offset = plainOffset(text, fraction ? 23 : 19);
  // A character that is not a digit makes a number NaN, which fails every comparison.
  const date = year > FIRST_PLAIN_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= SHORTEST_MONTH;
  const time = hour <= 23 && minute <= 59 && second <= 59 && milliseconds <= 999;
  if (!date || !time || offset === undefined || year > LAST_PLAIN_YEAR) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offset * MINUTE_MS;
}

/** Minutes east of UTC, from the `Z` or `+01:00` at the end of a text. */
function plainOffset(text: string, at: number): number | undefined {
  const sign = text[at];
  if (sign === 'Z') return text.length === at + 1 ? 0 : undefined;
  if ((sign !== '+' && sign !== '-') || text.length !== at + 6 || text[at + 3] !== ':') return undefined;
  const [hours, minutes] = [number(text, at + 1, at + 3), number(text, at + 4, at + 6)];
  if (!(hours <= 23 && minutes <= 59)) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** The number in a part of a text; NaN if it has other characters than digits. */
function number(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

/** Midnight of a date. Date.UTC would map the years 0 to 99 to 1900 to 1999. */
function utcOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
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
