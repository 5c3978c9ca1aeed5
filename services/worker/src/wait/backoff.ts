import { setTimeout as sleep } from 'node:timers/promises';

/** Waits that grow from `shortestMs` to `longestMs`, each a random part of its full length. */
export interface BackoffSettings {
  readonly shortestMs: number;
  readonly longestMs: number;
  /** 0 to 1. */
  readonly random?: () => number;
}

export type Delay = (attempt: number) => number;

/**
 * Milliseconds to wait after attempt number `attempt` (from 1). The length is random between half and all of what
 * it grew to, so that workers that failed together do not come back together.
 */
export function createDelay({ shortestMs, longestMs, random = Math.random }: BackoffSettings): Delay {
  return (attempt) => {
    const full = Math.min(longestMs, shortestMs * 2 ** Math.min(attempt - 1, 30));
    return full * (0.5 + random() / 2);
  };
}

/** The wait between two rounds of appliers that race for the same events: short, as one of them wins each round. */
export function createRaceBackoff(delay: Delay = createDelay({ shortestMs: 2, longestMs: 100 })) {
  return (round: number): Promise<void> => sleep(delay(round));
}
