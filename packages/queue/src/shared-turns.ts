import type { Handled, TakenJob } from './consumer-worker.ts';

/** A limit that several consumers share: so many jobs are at work at a time, in the order in which they were taken. */
export interface SharedTurns {
  /** The same handler, which waits for its turn first. */
  wrap(handle: (job: TakenJob) => Promise<Handled>): (job: TakenJob) => Promise<Handled>;
  /** Whoever waits for a turn gives its job back. */
  stop(): void;
}

/**
 * Of all queues together so many times what may be at work, about, is held: most of a group is text, of which a process
 * keeps up to a MiB for each.
 */
const HELD_FOR_EACH_TURN = 4;

/** How much to hold of each of so many queues that share a limit, in jobs or in what they carry: all that it allows, unless they are many. */
export function heldOfEach(limit: number, queues: number): number {
  const share = Math.floor((limit * HELD_FOR_EACH_TURN) / queues);
  return Math.min(limit, Math.max(1, share));
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
