import { type Backoff, backoffMs } from '@sluice/runtime/timing/backoff';

const RESTART: Backoff = { firstMs: 100, longestMs: 5000 };
/** A process that ran this long was well; its next death restarts the count. */
const SETTLED_MS = 10_000;

/** How long to wait before the next start of a process that just died. */
export interface RestartDelay {
  /** Milliseconds: 100, 200, 400 … 5000, and 100 again once it had lived for 10 seconds. */
  after(livedMs: number): number;
}

/** Counts the deaths of one process. */
export function createRestartDelay(): RestartDelay {
  let deaths = 0;
  return {
    after: (livedMs) => {
      if (livedMs >= SETTLED_MS) deaths = 0;
      deaths += 1;
      return backoffMs(RESTART, deaths);
    },
  };
}
