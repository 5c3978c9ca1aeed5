import { setTimeout as sleep } from 'node:timers/promises';

/** The bounds of the waits between attempts, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** 2 ** 30 times any wait is longer than the longest. */
const MOST_DOUBLINGS = 30;

/** Milliseconds to wait after failed attempt `attempt` (from 1): doubles each time, up to the longest wait. */
export function backoffMs({ firstMs, longestMs }: Backoff, attempt: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS));
}

/** Waits of a random part of their full length. */
export interface DelaySettings extends Backoff {
  /** 0 to 1. */
  readonly random?: () => number;
}

export type Delay = (attempt: number) => number;

/**
 * Milliseconds to wait after attempt number `attempt` (from 1): a random length between half and all of the backoff.
 * Workers that failed together do not come back together.
 */
export function createDelay({ random = Math.random, ...backoff }: DelaySettings): Delay {
  return (attempt) => backoffMs(backoff, attempt) * (0.5 + random() / 2);
}

/** The wait between two rounds of writers that race for the same records. It is short, because one of them wins each round. */
export function createRaceBackoff(delay: Delay = createDelay({ firstMs: 2, longestMs: 100 })) {
  return (round: number): Promise<void> => sleep(delay(round));
}
