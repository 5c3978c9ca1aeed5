import { DAY_MS, HOUR_MS } from '../time/durations.ts';
import { zoneClock } from '../time/zone-clock.ts';
import type { Recurrence } from './event-fields.ts';

export interface Series {
  /** The first start. Times are milliseconds since the Unix epoch. */
  readonly starts_at: number;
  readonly recurring: Recurrence | null;
  /** The last start; null: there is no end, or none is known. */
  readonly recurs_until: number | null;
  /** An IANA name; null: none is known. */
  readonly time_zone?: string | null;
}

/** A change of the clocks moves them by less. */
const MOST_MOVED_MS = 3 * HOUR_MS;

/**
 * The first start of an event or series at or after `now` (milliseconds since the Unix epoch), at the same time of day in the
 * time zone of the series. Without a known zone it is that of UTC, so the true start may differ by an hour of summer time.
 * Without a later start it returns the last one.
 */
export function nextOccurrence(series: Series, now: number): number {
  const { starts_at, recurring, recurs_until } = series;
  if (recurring === null || starts_at >= now) return starts_at;
  const next = nextInZone(series, recurring, now);
  return recurs_until === null ? next : Math.max(starts_at, Math.min(next, recurs_until));
}

function nextInZone({ starts_at, time_zone }: Series, recurring: Recurrence, now: number): number {
  const clock = time_zone == null ? undefined : zoneClock(time_zone);
  if (clock === undefined) return stepTo(starts_at, recurring, now);
  const first = clock.toLocal(starts_at);
  // The clocks show some times twice and skip others, so the search begins a little earlier.
  for (let from = Math.max(first, clock.toLocal(now) - MOST_MOVED_MS); ; ) {
    const local = stepTo(first, recurring, from);
    const at = clock.toInstant(local);
    if (at >= now) return at;
    from = local + 1;
  }
}

function stepTo(first: number, recurring: Recurrence, now: number): number {
  switch (recurring) {
    case 'daily':
      return first + Math.ceil((now - first) / DAY_MS) * DAY_MS;
    case 'weekly':
      return first + Math.ceil((now - first) / (7 * DAY_MS)) * 7 * DAY_MS;
    case 'monthly':
      return stepMonths(first, 1, now);
    case 'yearly':
      return stepMonths(first, 12, now);
  }
}

/** Months or years without the day are skipped. Every day comes again within 8 years, 29 February too. */
function stepMonths(first: number, months: number, now: number): number {
  const start = new Date(first);
  const nowDate = new Date(now);
  const passed =
    (nowDate.getUTCFullYear() - start.getUTCFullYear()) * 12 + nowDate.getUTCMonth() - start.getUTCMonth();
  for (let n = Math.max(0, Math.floor(passed / months) - 1); ; n++) {
    const at = new Date(first);
    at.setUTCMonth(start.getUTCMonth() + n * months);
    const isSkipped = at.getUTCDate() !== start.getUTCDate();
    if (!isSkipped && at.getTime() >= now) return at.getTime();
  }
}
