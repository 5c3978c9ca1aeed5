const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits between the attempts of a message. After the last one it is failed: eleven attempts in about 76 hours. */
export const WAITS_MS = [
  ...[
    5 * SECOND,
    MINUTE,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
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
