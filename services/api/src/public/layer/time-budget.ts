import { type Refusal, refuse } from '../../http/result.ts';
import type { PublicMethod } from './declare-route.ts';

/** Below 1.5 s, so that the response reaches the client within that time (docs/limits.md). Milliseconds. */
const BUDGET_MS = 1300;

/** The time is counted in steps of at most this length. Milliseconds. */
const STEP_MS = 100;

/**
 * The time that one request may wait for the stores. Waiting for the client's body is free. Time in which this process got
 * no CPU is not counted: the stores may have responded meanwhile, and a 503 would blame them.
 */
interface TimeBudget {
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

/** The method and headers of a request decide how it can be repeated. */
export interface SentAs {
  readonly method: PublicMethod;
  readonly hasIdempotencyKey: boolean;
  readonly hasIfMatch: boolean;
}

/** The 503 of a request whose time budget is spent. It says how to repeat this request without a second effect. */
export function lateRefusal(sent: SentAs): Refusal {
  return refuse('unavailable', `The stores did not respond in time. ${nextStep(sent)}`, {
    retryAfterSeconds: 2,
    reason: 'stores_late',
  });
}

const UNKNOWN = 'The change may or may not have taken effect.';

function nextStep({ method, hasIdempotencyKey, hasIfMatch }: SentAs): string {
  switch (method) {
    case 'GET':
      return 'Send the request again.';
    case 'POST':
      return hasIdempotencyKey
        ? `${UNKNOWN} Send the request again with the same Idempotency-Key.`
        : `${UNKNOWN} Check it before you send the request again: without an Idempotency-Key it may take effect twice.`;
    case 'PATCH':
      return hasIfMatch
        ? `${UNKNOWN} Read the record. If the change is missing, send the request again with the new ETag.`
        : `${UNKNOWN} Send the request again.`;
    case 'DELETE':
      return `${UNKNOWN} Send the request again.`;
  }
}
