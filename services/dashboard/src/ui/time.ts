import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@sluice/contract/time/durations';

const STEPS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [SECOND_MS, 'second'],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** Formats a time as "3m ago" or "in 2 days". Times over a month away are shown as a date. */
export function ago(iso: string, nowMs: number): string {
  const distance = Date.parse(iso) - nowMs;
  if (Math.abs(distance) < 2 * SECOND_MS) return 'just now';
  if (Math.abs(distance) > 31 * DAY_MS) return day.format(new Date(iso));
  const [unit, name] = STEPS.find(([length]) => Math.abs(distance) >= length) ?? STEPS[3];
  return relative.format(Math.round(distance / unit), name);
}

/**
 * Formats a time in a log, in the viewer’s time zone: "3m ago", or "20 Nov, 21:13" after an hour. Readers look for
 * rows by time, and relative times of the same day would all look the same.
 */
export function logged(iso: string, nowMs: number): string {
  const distance = Math.abs(Date.parse(iso) - nowMs);
  if (distance < HOUR_MS || distance > 31 * DAY_MS) return ago(iso, nowMs);
  const at = new Date(iso);
  return `${spanDay.format(at)}, ${spanTime.format(at)}`;
}

/** Returns the instant to measure from: the last tick of the page’s clock, or a later time that is already past. */
export function clockFor(iso: string, tickMs: number, nowMs: number): number {
  const at = Date.parse(iso);
  return at > nowMs ? tickMs : Math.max(tickMs, at);
}

/** Formats as `2026-11-21 10:02:07.123 UTC`. */
export function utc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** Formats in UTC and in the viewer's time zone; once if both are the same. */
export function utcAndLocal(iso: string): string {
  return isUtcHere(iso) ? utc(iso) : `${utc(iso)} · ${localTime(iso)}`;
}

/** Whether the viewer's clocks show UTC at an instant. */
export function isUtcHere(iso: string): boolean {
  return new Date(iso).getTimezoneOffset() === 0;
}

/** Formats as `2026-11-21 10:02 UTC`. */
export function shortUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats in the viewer's time zone, with its name. */
export function localTime(iso: string): string {
  return local.format(new Date(iso));
}

export function shortLocalTime(iso: string): string {
  return dayTime.format(new Date(iso));
}

export function shortDay(iso: string): string {
  return day.format(new Date(iso));
}

/**
 * Formats the viewer's day as `2026-11-21`, for date inputs. They empty themselves unless the year has four digits, and while a year
 * is typed, its first digit is the year 2.
 */
export function localDay(atMs: number): string {
  const at = new Date(atMs);
  const year = String(at.getFullYear()).padStart(4, '0');
  const [month, date] = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${year}-${month}-${date}`;
}

/** Formats a duration: 840 ms, 1.2 s, 3 min, 2 h. */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < SECOND_MS) return `${ms < 10 && ms % 1 !== 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`;
}

const spanDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const spanTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Formats a span as "21 Nov, 10:02 to 10:03", in the viewer’s time zone. Text that is not a time is unchanged. */
export function timeSpan(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return `${from} to ${to}`;
  const [firstDay, lastDay] = [spanDay.format(first), spanDay.format(last)];
  const end = firstDay === lastDay ? spanTime.format(last) : `${lastDay}, ${spanTime.format(last)}`;
  return `${firstDay}, ${spanTime.format(first)} to ${end}`;
}

const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats the UTC day of an instant. */
export function shortUtcDay(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? iso : utcDay.format(new Date(iso));
}

/** Formats an instant as `2026-11-21T10:02` in the viewer's time zone, for datetime inputs. Empty if there is none. */
export function localMinute(iso: string | undefined): string {
  const at = new Date(iso ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return `${localDay(at.getTime())}T${spanTime.format(at)}`;
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Formats the exact time of a row, in the viewer's time zone: `21:13:05`, on other days `20 Nov, 21:13`. */
export function exactTime(iso: string, nowMs: number): string {
  const at = new Date(iso);
  if (at.toDateString() === new Date(nowMs).toDateString()) return clock.format(at);
  return `${spanDay.format(at)}, ${spanTime.format(at)}`;
}
