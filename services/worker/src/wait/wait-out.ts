import { setTimeout as sleep } from 'node:timers/promises';
import { toldOf } from '@sluice/store/mongo-refusal';
import { createDelay, type Delay } from './backoff.ts';

/** The worker stops while MongoDB is away: the job is to be given back as it is, for another worker or a later one. */
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
  /** Told how many operations wait, whenever that changes. */
  readonly onWaiting?: (count: number) => void;
  readonly delay?: Delay;
  /** While it lasts, one line each so often (milliseconds) with the latest error: the first need not be what keeps it away. */
  readonly sayAgainMs?: number;
}

export interface WaitOut {
  /**
   * Runs `operation`, and runs it again for as long as MongoDB is away. Rejects only with a bug of our own, or with
   * `StoppedWhileWaiting`. The operation must bear being run twice: a timeout does not tell whether it took effect.
   */
  run<T>(operation: () => Promise<T>): Promise<T>;
  /** From now on nothing is waited for. */
  stop(): void;
}

const FIRST_MS = 100;
const LONGEST_MS = 2000;
const SAY_AGAIN_MS = 30_000;

/**
 * Infrastructure trouble is waited out inside the job: its lock is renewed meanwhile, no attempt is used up, and
 * nothing that was accepted can end as failed because a database was away (design: guarantee 6).
 */
export function createWaitOut({
  logger,
  onWaiting = () => {},
  delay = defaultDelay(),
  sayAgainMs = SAY_AGAIN_MS,
}: WaitOutDeps): WaitOut {
  const stopping = new AbortController();
  let waiting = 0;
  let awaySince = 0;
  let saidAt = 0;

  function sayAgain(error: unknown): void {
    if (performance.now() - saidAt < sayAgainMs) return;
    saidAt = performance.now();
    const away_ms = Math.round(saidAt - awaySince);
    const fields = { event: 'store.away', ...toldOf(error), away_ms, waiting };
    logger.warn(fields, 'nothing is applied, still waiting for MongoDB');
  }

  // One line per change of state, however many groups wait.
  function note(change: 1 | -1, error?: unknown): void {
    waiting += change;
    onWaiting(waiting);
    if (waiting === 1 && change === 1) {
      awaySince = performance.now();
      saidAt = awaySince;
      logger.warn({ event: 'store.away', ...toldOf(error) }, 'nothing is applied, waiting for MongoDB');
    } else if (waiting === 0 && !stopping.signal.aborted) {
      logger.info(
        { event: 'store.back', away_ms: Math.round(performance.now() - awaySince) },
        'MongoDB is back',
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
        sayAgain(next);
      }
    }
  }

  return {
    async run(operation) {
      try {
        return await operation();
      } catch (error) {
        if (isBug(error)) throw error;
        note(1, error);
        try {
          return await retry(operation, error);
        } finally {
          note(-1);
        }
      }
    },
    stop: () => stopping.abort(),
  };
}

function defaultDelay(): Delay {
  return createDelay({ firstMs: FIRST_MS, longestMs: LONGEST_MS });
}

/** The store throws for nothing but lost infrastructure; what the language itself throws is a mistake in code. */
function isBug(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}
