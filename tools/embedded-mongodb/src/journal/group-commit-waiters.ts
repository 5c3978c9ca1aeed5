/** Callers that wait until bytes are durable. Offsets count from the start of the journal's writer. */
export interface GroupCommitWaiters {
  readonly size: number;
  readonly wantsFlush: boolean;
  /** Resolves when everything up to the target is written, or with `flushed` on the disk. */
  wait(target: number, flushed: boolean): Promise<void>;
  /** Resolves all callers whose bytes are durable by now. */
  settle(reached: { readonly written: number; readonly flushed: number }): void;
  refuse(error: Error): void;
}

interface Waiter {
  readonly target: number;
  readonly flushed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function createGroupCommitWaiters(): GroupCommitWaiters {
  let waiters: Waiter[] = [];
  return {
    get size() {
      return waiters.length;
    },
    get wantsFlush() {
      return waiters.some((waiter) => waiter.flushed);
    },
    wait: (target, flushed) =>
      new Promise((resolve, reject) => {
        waiters.push({ target, flushed, resolve, reject });
      }),
    settle(reached) {
      const isSafe = (waiter: Waiter): boolean =>
        waiter.target <= (waiter.flushed ? reached.flushed : reached.written);
      for (const waiter of waiters) if (isSafe(waiter)) waiter.resolve();
      waiters = waiters.filter((waiter) => !isSafe(waiter));
    },
    refuse(error) {
      for (const waiter of waiters) waiter.reject(error);
      waiters = [];
    },
  };
}
