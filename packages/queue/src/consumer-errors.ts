import { type Backoff, backoffMs } from '@sluice/runtime/timing/backoff';

/** The log that the consumer writes to. A pino logger fits. */
export interface ConsumerLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ErrorBrakeDeps {
  readonly queue: string;
  readonly logger: ConsumerLogger;
  /** Whether Redis answers. While it does not, the connection logs that, and BullMQ waits. */
  readonly connected: () => boolean;
  /** Stops fetching jobs. */
  readonly stop: () => void;
  readonly goOn: () => void;
}

export interface ErrorBrake {
  onError(error: Error): void;
  /** Whether fetching is stopped because of a recent error. */
  resting(): boolean;
  /** Ignores errors from now on, because the consumer closes. */
  release(): void;
}

const REST: Backoff = { firstMs: 100, longestMs: 5_000 };

/** Errors further apart than this count as separate. */
const CALM_MS = 15_000;

/** The interval of log lines while errors continue. */
const LOG_EVERY_MS = 30_000;

/**
 * BullMQ retries at once after an error of Redis: with Redis at its memory limit one worker made 115,934 errors in
 * 15 seconds (bullmq#3834). So fetching stops after an error, longer each time, and few lines are logged.
 */
export function createErrorBrake({ queue, logger, connected, stop, goOn }: ErrorBrakeDeps): ErrorBrake {
  let timer: NodeJS.Timeout | undefined;
  let released = false;
  let rests = 0;
  let lastErrorAt = Number.NEGATIVE_INFINITY;
  let lastLoggedAt = Number.NEGATIVE_INFINITY;
  let unlogged = 0;

  function log(error: Error, now: number): void {
    if (now - lastLoggedAt < LOG_EVERY_MS) {
      unlogged += 1;
      return;
    }
    logger.warn(
      { event: 'consumer.error', queue, reason: error.message, unlogged },
      'taking jobs failed; trying again',
    );
    lastLoggedAt = now;
    unlogged = 0;
  }

  function rest(): void {
    if (timer !== undefined) return;
    stop();
    rests += 1;
    timer = setTimeout(
      () => {
        timer = undefined;
        goOn();
      },
      backoffMs(REST, rests),
    );
  }

  return {
    onError(error) {
      if (released || !connected()) return;
      const now = performance.now();
      if (now - lastErrorAt > CALM_MS) rests = 0;
      lastErrorAt = now;
      log(error, now);
      rest();
    },
    resting: () => timer !== undefined,
    release() {
      released = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
