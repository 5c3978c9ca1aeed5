import type { Refusal } from '../http/result.ts';

/** Below 1.5 s, so that the response reaches the client within that time (docs/limits.md). Milliseconds. */
const BUDGET_MS = 1300;

/** The time is counted in steps of at most this length. Milliseconds. */
const STEP_MS = 100;

/**
 * The time that one request may wait for the stores. Waiting for the client's body is free. Time in which this process got
 * no CPU is not counted: the stores may have responded meanwhile, and a 503 would blame them.
 */
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
  refusal,
  budgetMs = BUDGET_MS,
}: {
  /** Makes the 503 once the budget is spent. */
  readonly refusal: () => Refusal;
  readonly onLateError: (error: unknown) => void;
  readonly budgetMs?: number;
}): TimeBudget {
  let leftMs = budgetMs;
  return {
    async spend(work) {
      let timer: NodeJS.Timeout | undefined;
      let steppedAt = performance.now();
      let late: Refusal | undefined;
      const stepMs = () => Math.max(0, Math.min(STEP_MS, leftMs));
      const timeout = new Promise<Refusal>((resolve) => {
        const step = () => {
          leftMs -= stepMs();
          steppedAt = performance.now();
          if (leftMs > 0) timer = setTimeout(step, stepMs());
          // Responses that arrived while the process was busy are read first.
          else
            setImmediate(() => {
              late = refusal();
              resolve(late);
            });
        };
        timer = setTimeout(step, stepMs());
      });
      const working = work();
      working.catch((error: unknown) => late !== undefined && onLateError(error));
      try {
        return await Promise.race([working, timeout]);
      } finally {
        clearTimeout(timer);
        leftMs -= Math.min(performance.now() - steppedAt, stepMs());
      }
    },
  };
}
