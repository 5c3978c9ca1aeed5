const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** "3m ago", "in 2 days"; what lies over a month away as a date. */
export function ago(iso: string, nowMs: number): string {
  const distance = Date.parse(iso) - nowMs;
  if (Math.abs(distance) < 2 * SECOND) return 'just now';
  if (Math.abs(distance) > 31 * DAY) return day.format(new Date(iso));
  const [unit, name] = STEPS.find(([length]) => Math.abs(distance) >= length) ?? STEPS[3];
  return relative.format(Math.round(distance / unit), name);
}

/**
 * When something in a log was, in the viewer's own time: "3m ago", beyond an hour "20 Nov, 21:13". Rows are looked for by
 * their time, and many of a day would be told as the same number of hours or days ago.
 */
export function logged(iso: string, nowMs: number): string {
  const distance = Math.abs(Date.parse(iso) - nowMs);
  if (distance < HOUR || distance > 31 * DAY) return ago(iso, nowMs);
  const at = new Date(iso);
  return `${spanDay.format(at)}, ${spanTime.format(at)}`;
}

/** What a time is told relative to: the last tick of the page's clock, unless it has come since. */
export function clockFor(iso: string, tickMs: number, nowMs: number): number {
  const at = Date.parse(iso);
  return at > nowMs ? tickMs : Math.max(tickMs, at);
}

/** `2026-11-21 10:02:07.123 UTC` */
export function utc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** `2026-11-21 10:02 UTC` */
export function shortUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The viewer's own time, with its zone. */
export function localTime(iso: string): string {
  return local.format(new Date(iso));
}

export function shortLocalTime(iso: string): string {
  return dayTime.format(new Date(iso));
}

export function shortDay(iso: string): string {
  return day.format(new Date(iso));
}

/** `2026-11-21`: the viewer's own day, as date inputs take it. */
export function localDay(atMs: number): string {
  const at = new Date(atMs);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** 840 ms, 1.2 s, 3 min, 2 h */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < SECOND) return `${ms < 10 && ms % 1 !== 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  return ms < DAY ? `${Math.round(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`;
}

const spanDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const spanTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** "21 Nov, 10:02 to 10:03", in the viewer's own time; as it stands where it is no time. */
export function timeSpan(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return `${from} to ${to}`;
  const [firstDay, lastDay] = [spanDay.format(first), spanDay.format(last)];
  const end = firstDay === lastDay ? spanTime.format(last) : `${lastDay}, ${spanTime.format(last)}`;
  return `${firstDay}, ${spanTime.format(first)} to ${end}`;
}

const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The day of UTC that an instant lies in. */
export function shortUtcDay(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? iso : utcDay.format(new Date(iso));
}
