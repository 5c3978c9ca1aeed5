import { nextOccurrence } from '@sluice/contract/event/next-occurrence';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { EventItem } from '@sluice/dashboard-api/events';

type Series = Pick<EventItem, 'starts_at' | 'recurring'> & {
  readonly recurs_until?: string | null;
  readonly time_zone?: string | null;
};

/** Further than any month needs, so that a wrong date never loops for long. */
const MOST = 40;

/**
 * The starts of an event or its series in a span, at the same time of day in the time zone of the series; if none is known, in
 * that of the viewer. A monthly or yearly series skips months without its day.
 */
export function occurrences(event: Series, fromMs: number, toMs: number): Date[] {
  const first = new Date(event.starts_at);
  if (event.recurring === null) return isIn(first, fromMs, toMs) ? [first] : [];
  const until = event.recurs_until == null ? toMs : Math.min(toMs, Date.parse(event.recurs_until) + 1);
  if (event.time_zone != null) return inOwnZone({ ...event, time_zone: event.time_zone }, fromMs, until);
  const found: Date[] = [];
  for (let n = stepsBefore(event.recurring, first, fromMs); found.length < MOST; n++) {
    const start = stepped(first, event.recurring, n);
    if (start.getTime() >= until) return found;
    const skipped =
      event.recurring !== 'daily' && event.recurring !== 'weekly' && start.getDate() !== first.getDate();
    if (start.getTime() >= fromMs && !skipped) found.push(start);
  }
  return found;
}

function inOwnZone(event: Series & { readonly time_zone: string }, fromMs: number, until: number): Date[] {
  const series = { ...event, starts_at: Date.parse(event.starts_at), recurs_until: null };
  const found: Date[] = [];
  for (let from = fromMs; found.length < MOST; ) {
    const start = nextOccurrence(series, from);
    if (start >= until) return found;
    found.push(new Date(start));
    from = start + 1;
  }
  return found;
}

function isIn(date: Date, fromMs: number, toMs: number): boolean {
  return date.getTime() >= fromMs && date.getTime() < toMs;
}

/** A number of steps that surely ends before the span. */
function stepsBefore(recurring: NonNullable<Series['recurring']>, first: Date, fromMs: number): number {
  const days = Math.floor((fromMs - first.getTime()) / DAY_MS) - 1;
  const length = { daily: 1, weekly: 7, monthly: 31, yearly: 366 }[recurring];
  return Math.max(0, Math.floor(days / length));
}

function stepped(first: Date, recurring: NonNullable<Series['recurring']>, n: number): Date {
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  const at = (y: number, m: number, d: number) =>
    new Date(y, m, d, first.getHours(), first.getMinutes(), first.getSeconds());
  switch (recurring) {
    case 'daily':
      return at(year, month, day + n);
    case 'weekly':
      return at(year, month, day + 7 * n);
    case 'monthly':
      return at(year, month + n, day);
    case 'yearly':
      return at(year + n, month, day);
  }
}

type Times = Pick<EventItem, 'starts_at' | 'ends_at' | 'recurring'> & {
  /** The last start of a series; null or absent: it has no end. */
  readonly recurs_until?: string | null;
};

/** Whether an event is over: after its end, or its start if it has no end. A series is over after its last start. */
export function isPast(
  { starts_at, ends_at, recurring, recurs_until = null }: Times,
  nowMs: number,
): boolean {
  if (recurring === null) return Date.parse(ends_at ?? starts_at) < nowMs;
  return recurs_until !== null && Date.parse(recurs_until) < nowMs;
}

const YEAR_MS = 366 * DAY_MS;

/**
 * The next start of a series that has begun, by the clocks of its time zone. Null: the first start is the one to show. A yearly
 * series on 29 February may have none within a few years.
 */
export function nextStart(event: EventItem, nowMs: number): string | null {
  if (event.recurring === null || Date.parse(event.starts_at) >= nowMs || isPast(event, nowMs)) return null;
  const span = event.recurring === 'yearly' ? 8 * YEAR_MS : YEAR_MS;
  return occurrences(event, nowMs, nowMs + span)[0]?.toISOString() ?? null;
}

const MINUTE: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** Formats in the viewer's time zone, in that of the event, and in UTC. Zones whose clocks show the same are named once. */
export function eventTime(iso: string, timeZone: string | null): string {
  const zones = [undefined, ...(timeZone === null ? [] : [timeZone]), 'UTC'];
  return [...new Set(zones.map((zone) => format(iso, MINUTE, zone)))].join(' · ');
}

/** The time of day in a zone, with its name: `10:00 CET`. Null if the viewer's clocks show the same. */
export function zoneTimeOfDay(iso: string, timeZone: string): string | null {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  if (format(iso, clock, timeZone) === format(iso, clock)) return null;
  return format(iso, { ...clock, timeZoneName: 'short' }, timeZone);
}

function format(iso: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== undefined && { timeZone }) }).format(
    new Date(iso),
  );
}
