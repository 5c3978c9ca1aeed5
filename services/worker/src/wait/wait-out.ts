import { setTimeout as sleep } from 'node:timers/promises';
import { createDelay, type Delay } from '@sluice/runtime/timing/backoff';
import { errorFields } from '@sluice/store/connection/mongo-refusal';

/** The worker stops while MongoDB is unavailable. The job must be returned to the queue for another worker. */
export class StoppedWhileWaiting extends Error {
  constructor(cause: unknown) {
    super('stopped while waiting for MongoDB', { cause });
    this.name = 'StoppedWhileWaiting';
  }
}

export interface WaitOutDeps {
  readonly logger: {
    warn(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
  /** Called with the number of waiting operations whenever it changes. */
  readonly onWaiting?: (count: number) => void;
  readonly delay?: Delay;
  /** How often an outage logs its latest error, in milliseconds. The first error may not be the lasting cause. */
  readonly logAgainMs?: number;
}

export interface WaitOut {
  /**
   * Runs `operation`, and retries it while MongoDB is unavailable. Rejects only for a bug, or with
   * `StoppedWhileWaiting`. The operation must be idempotent, because after a timeout it is unknown whether it took
   * effect.
   */
  run<T>(operation: () => Promise<T>): Promise<T>;
  /** The latest error, if operations have waited for more than 5 seconds. */
  waitsFor(): string | undefined;
  /** Ends all waiting with `StoppedWhileWaiting`. */
  stop(): void;
}

const FIRST_MS = 100;
const LONGEST_MS = 2000;
const LOG_AGAIN_MS = 30_000;
/** A shorter fault only delays a group. */
const TROUBLE_FROM_MS = 5_000;

/**
 * Waits out an outage of MongoDB inside the job. Its lock is renewed meanwhile and no attempt is used up. So an accepted
 * action never fails because of a database outage (docs/guarantees.md, 6).
 */
export function createWaitOut({
  logger,
  onWaiting = () => {},
  delay = defaultDelay(),
  logAgainMs = LOG_AGAIN_MS,
}: WaitOutDeps): WaitOut {
  const stopping = new AbortController();
  let waiting = 0;
  let awaySince = 0;
  let loggedAt = 0;
  let latest: unknown;

  function logAgain(error: unknown): void {
    if (performance.now() - loggedAt < logAgainMs) return;
    loggedAt = performance.now();
    const away_ms = Math.round(loggedAt - awaySince);
    const fields = { event: 'store.away', ...errorFields(error), away_ms, waiting };
    logger.warn(fields, 'actions are still waiting for MongoDB');
  }

  // Logs one line for each change of state, however many groups wait.
  function count(change: 1 | -1, error?: unknown): void {
    waiting += change;
    onWaiting(waiting);
    if (waiting === 1 && change === 1) {
      awaySince = performance.now();
      loggedAt = awaySince;
      logger.warn({ event: 'store.away', ...errorFields(error) }, 'actions are waiting for MongoDB');
    } else if (waiting === 0 && !stopping.signal.aborted) {
      logger.info(
        { event: 'store.back', away_ms: Math.round(performance.now() - awaySince) },
        'MongoDB is available again',
      );
    }
  }

  async function pause(attempt: number, error: unknown): Promise<void> {
    try {
      await sleep(delay(attempt), undefined, { signal: stopping.signal });
    } catch {
      throw new StoppedWhileWaiting(error);
    }
  }

  async function retry<T>(operation: () => Promise<T>, first: unknown): Promise<T> {
    let error = first;
    for (let attempt = 1; ; attempt += 1) {
      await pause(attempt, error);
      try {
        return await operation();
      } catch (next) {
        if (isBug(next)) throw next;
        error = next;
        latest = next;
        logAgain(next);
      }
    }
  }

  return {
    async run(operation) {
      try {
        return await operation();
      } catch (error) {
        if (isBug(error)) throw error;
        latest = error;
        count(1, error);
        try {
          return await retry(operation, error);
        } finally {
          count(-1);
        }
      }
    },
    waitsFor() {
      if (waiting === 0 || performance.now() - awaySince < TROUBLE_FROM_MS) return undefined;
      return latest instanceof Error ? latest.message : String(latest);
    },
    stop: () => stopping.abort(),
  };
}

function defaultDelay(): Delay {
  return createDelay({ firstMs: FIRST_MS, longestMs: LONGEST_MS });
}

/** The store throws only for infrastructure errors. An error class of the language means a bug. */
function isBug(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}

type Operations<Name extends PropertyKey> = { readonly [N in Name]: (...args: never[]) => Promise<unknown> };

/** Wraps idempotent operations of the store, so that they wait for MongoDB while it is unavailable instead of failing. */
export function patient<Part extends Operations<Name>, Name extends keyof Part & string>(
  waitOut: WaitOut,
  part: Part,
  names: readonly Name[],
): Pick<Part, Name> {
  const wrapped = names.map((name) => [name, (...args: never[]) => waitOut.run(() => part[name](...args))]);
  return Object.fromEntries(wrapped) as Pick<Part, Name>;
}
