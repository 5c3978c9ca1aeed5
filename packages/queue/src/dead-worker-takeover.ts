import { SECOND_MS } from '@sluice/contract/time/durations';

/**
 * How soon another worker takes over the jobs of a killed one. A lock is renewed every 5 s and lasts 10 s. Every 2 s each
 * worker looks for expired locks. BullMQ skips a look that comes a moment before its interval is over (41 of 558 did). So a
 * takeover needs at most 10 s and two intervals of 2 s. The promise is 15 s; BullMQ's defaults need 59 s.
 */
export const LOCK_DURATION_MS = 10 * SECOND_MS;
export const STALLED_INTERVAL_MS = 2 * SECOND_MS;

/** A killed worker proves nothing about its job: a stalled job never fails. */
export const MAX_STALLED_COUNT = Number.MAX_SAFE_INTEGER;
