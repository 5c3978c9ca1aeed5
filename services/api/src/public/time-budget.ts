import { within } from '@sluice/runtime/timing/within';
import { type Refusal, refuse } from '../http/result.ts';

/** Below 1.5 s, so that the response reaches the client within that time (docs/limits.md). Milliseconds. */
const BUDGET_MS = 1300;

const LATE = refuse(
  'unavailable',
  'The stores did not respond in time. A change may or may not have taken effect. Send the request again with the same Idempotency-Key.',
  { retryAfterSeconds: 2 },
);

/** The time that one request may wait for the stores. Waiting for the client's body is free. */
export interface TimeBudget {
  /**
   * Waits for work, or returns a 503 when the budget is spent. The work then goes on without a listener: `onLateError`
   * gets its error.
   */
  spend<T>(work: () => Promise<T>): Promise<T | Refusal>;
}

/** Creates the budget of one request. */
export function createTimeBudget({
  onLateError,
  budgetMs = BUDGET_MS,
}: {
  readonly onLateError: (error: unknown) => void;
  readonly budgetMs?: number;
}): TimeBudget {
  let leftMs = budgetMs;
  return {
    async spend(work) {
      const startedAt = performance.now();
      let late = false;
      const working = work();
      working.catch((error: unknown) => late && onLateError(error));
      try {
        return await within(leftMs, working, () => {
          late = true;
          return LATE;
        });
      } finally {
        leftMs -= performance.now() - startedAt;
      }
    },
  };
}
