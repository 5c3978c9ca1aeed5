import type { Handled, TakenJob } from './consumer-worker.ts';

/** A concurrency limit that several consumers share. Jobs start in the order in which they were fetched. */
export interface SharedTurns {
  /** Wraps a handler so that it waits for its turn first. */
  wrap(handle: (job: TakenJob) => Promise<Handled>): (job: TakenJob) => Promise<Handled>;
  /** A handler that waits for its turn gives its job back. */
  stop(): void;
}

/**
 * Jobs prefetched across all queues, as a multiple of the concurrency limit. A prefetched group is mostly text, up to a MiB.
 */
const HELD_FOR_EACH_TURN = 4;

/** How much to prefetch of each queue that shares a limit, in jobs or in weight. Few queues get the whole limit each. */
export function heldOfEach(limit: number, queues: number): number {
  const share = Math.floor((limit * HELD_FOR_EACH_TURN) / queues);
  return Math.min(limit, Math.max(1, share));
}

/**
 * A process fetches from all shards at once, with one worker each. The shared limit keeps its load that of one worker. A job
 * keeps its lock while it waits. First come, first served: no shard waits behind jobs that were fetched later.
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
