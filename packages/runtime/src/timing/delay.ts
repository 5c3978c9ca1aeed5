import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from './backoff.ts';

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
