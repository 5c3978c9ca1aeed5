import { type Backoff, backoffMs } from '@sluice/runtime/process/backoff';

/** What the consumer logs with: pino fits. */
export interface ConsumerLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ErrorBrakeDeps {
  readonly queue: string;
  readonly logger: ConsumerLogger;
  /** Whether Redis answers; where it does not, the connection says so and BullMQ waits by itself. */
  readonly connected: () => boolean;
  /** Takes nothing new. */
  readonly stop: () => void;
  readonly goOn: () => void;
}

export interface ErrorBrake {
  onError(error: Error): void;
  /** Whether nothing is taken because of an error a moment ago. */
  resting(): boolean;
  /** From now on errors are ignored and nothing is stopped or started: the consumer closes. */
  release(): void;
}

const REST: Backoff = { firstMs: 100, longestMs: 5_000 };

/** Errors this far apart are separate troubles, not one that goes on. */
const CALM_MS = 15_000;

/** One log line per trouble, and one each so often while it goes on. */
const LOG_EVERY_MS = 30_000;

/**
 * BullMQ tries again at once after an error of Redis: with Redis at its memory limit one worker made 115,934 errors in
 * 15 seconds (bullmq#3834). So after an error nothing is taken for a while, longer each time, and few lines are logged.
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
