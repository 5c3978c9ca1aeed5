import type { EventItem } from '@sluice/dashboard-api/events';

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
