import { setTimeout as sleep } from 'node:timers/promises';

/** Delays that double from `shortestMs` to `longestMs`, with jitter. */
export interface BackoffSettings {
  readonly shortestMs: number;
  readonly longestMs: number;
  /** Returns a number from 0 to 1. */
  readonly random?: () => number;
}

export type Delay = (attempt: number) => number;

/**
 * Milliseconds to wait after attempt number `attempt` (from 1). The delay is random between half and all of the full
 * delay, so that workers that failed at the same time don't retry at the same time.
 */
export function createDelay({ shortestMs, longestMs, random = Math.random }: BackoffSettings): Delay {
  return (attempt) => {
    const full = Math.min(longestMs, shortestMs * 2 ** Math.min(attempt - 1, 30));
    return full * (0.5 + random() / 2);
  };
}

/** The delay between two rounds of workers that race for the same events. Short, because one of them wins each round. */
export function createRaceBackoff(delay: Delay = createDelay({ shortestMs: 2, longestMs: 100 })) {
  return (round: number): Promise<void> => sleep(delay(round));
}
