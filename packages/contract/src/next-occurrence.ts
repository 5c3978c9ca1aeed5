import type { Recurrence } from './event-fields.ts';

export interface Series {
  /** The first start. Times are milliseconds since the Unix epoch. */
  readonly starts_at: number;
  readonly recurring: Recurrence | null;
  /** The last start; null: there is no end, or none is known. */
  readonly recurs_until: number | null;
}

const DAY_MS = 86_400_000;

/**
 * The first start of an event or series at or after `now` (milliseconds since the Unix epoch), at the same time of day in UTC.
 * An event does not name the time zone of its series, so the true start may differ by an hour of summer time. Without a later
 * start it returns the last one.
 */
export function nextOccurrence({ starts_at, recurring, recurs_until }: Series, now: number): number {
  if (recurring === null || starts_at >= now) return starts_at;
  const next = stepTo(starts_at, recurring, now);
  return recurs_until === null ? next : Math.max(starts_at, Math.min(next, recurs_until));
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
