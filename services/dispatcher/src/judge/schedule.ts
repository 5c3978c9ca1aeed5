import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@sluice/contract/time/durations';

/** The waits between the attempts of a message. After the last one it is failed: eleven attempts in about 76 hours. */
export const WAITS_MS = [
  ...[
    5 * SECOND_MS,
    MINUTE_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ],
] as const;

/** How much a wait may differ from its plan, so that receivers are not called by many messages at the same instant. */
const JITTER = 0.1;

/**
 * How long to wait after the attempt with this number, counted from 1. Milliseconds; null if no further attempt follows.
 * `random` is in [0, 1).
 */
export function waitAfter(attempt: number, random: number): number | null {
  const planned = WAITS_MS[attempt - 1];
  return planned === undefined ? null : jittered(planned, random);
}

/** The wait after an attempt that is not the last one in any case. */
export function waitAtMost(attempt: number, random: number): number {
  return jittered(WAITS_MS[Math.min(attempt, WAITS_MS.length) - 1] as number, random);
}

/** A wait with up to a tenth less or more. */
export function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random));
}
