import { DAY_MS } from '@sluice/contract/durations';
import { nextOccurrence } from '@sluice/contract/next-occurrence';
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
