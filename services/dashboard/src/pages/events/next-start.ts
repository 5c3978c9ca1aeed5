import { DAY_MS } from '@sluice/contract/durations';
import type { EventItem } from '@sluice/dashboard-api/events';
import { isPast } from './is-past.ts';
import { occurrences } from './occurrences.ts';

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
