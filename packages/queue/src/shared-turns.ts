import type { Handled, TakenJob } from './consumer-worker.ts';

/** A limit that several consumers share: so many jobs are at work at a time, in the order in which they were taken. */
export interface SharedTurns {
  /** The same handler, which waits for its turn first. */
  wrap(handle: (job: TakenJob) => Promise<Handled>): (job: TakenJob) => Promise<Handled>;
  /** Whoever waits for a turn gives its job back. */
  stop(): void;
}

/**
 * A process takes from all shards at once, each by a worker of its own, and should do no more at a time than with one:
 * what waits for its turn keeps its lock. Taken in order, no shard waits longer than for what others took before it.
 */
export function createSharedTurns(limit: number): SharedTurns {
  let free = limit;
  let stopped = false;
  const waiting: ((turn: boolean) => void)[] = [];

  const turn = (): Promise<boolean> => {
    if (stopped) return Promise.resolve(false);
    if (free === 0) return new Promise((resolve) => void waiting.push(resolve));
    free -= 1;
    return Promise.resolve(true);
  };
  const pass = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next(true);
  };

  return {
    wrap: (handle) => async (job) => {
      if (!(await turn())) return 'give_back';
      try {
        return await handle(job);
      } finally {
        pass();
      }
    },
    stop() {
      stopped = true;
      for (const give of waiting.splice(0)) give(false);
    },
  };
}
