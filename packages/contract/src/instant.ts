/** An ISO 8601 datetime either names one instant, or `detail` says what is wrong and shows a right example. */
export type InstantResult =
  | { readonly ok: true; readonly epochMs: number }
  | { readonly ok: false; readonly detail: string };

const EXAMPLE = '2026-12-01T18:00:00+01:00';

// Calendar date, T, hours and minutes; seconds, fraction and offset may be absent.
const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|([+-])(\d{2})(?::?(\d{2}))?)?$/;

const MINUTE_MS = 60_000;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The one datetime parser: webhook, CLI, imports and dashboard all read datetimes with it.
 * A value with no offset is UTC (service.md 2.4). Fractions are kept to the millisecond, the rest is cut off,
 * because that is what MongoDB stores and what an event's identity is made of.
 */
export function parseInstant(text: string): InstantResult {
  const parts = SHAPE.exec(text);
  if (parts === null) return wrong(text, 'is not an ISO 8601 datetime with a date and a time');
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((n) => Number(parts[n] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12) return wrong(text, `has no such month (${parts[2]})`);
  if (day < 1 || day > daysInMonth(year, month)) return wrong(text, 'names a date that does not exist');
  if (hour > 23) return wrong(text, `has no such hour (${parts[4]}; hours go from 00 to 23)`);
  if (minute > 59) return wrong(text, `has no such minute (${parts[5]})`);
  if (second > 59) return wrong(text, `has no such second (${parts[6]}; leap seconds are not accepted)`);
  const offset = offsetMinutes(parts);
  if (offset === undefined) return wrong(text, `has no such offset (${parts[8]})`);
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = new Date(0);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, milliseconds);
  const epochMs = local.getTime() - offset * MINUTE_MS;
  const utcYear = new Date(epochMs).getUTCFullYear();
  if (utcYear < 0 || utcYear > 9999) return wrong(text, 'lies outside the years 0000 to 9999 in UTC');
  return { ok: true, epochMs };
}

/** The form every output uses: UTC with milliseconds, such as `2026-12-01T17:00:00.000Z`. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
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
