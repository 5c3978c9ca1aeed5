import { setTimeout as sleep } from 'node:timers/promises';

export interface RepeatSettings {
  readonly run: () => Promise<void>;
  /** Time from the end of one run to the start of the next, in milliseconds. */
  readonly everyMs: number;
  /** Called when runs start to fail (with the error) and when they succeed again (with null). */
  readonly onChange: (error: unknown) => void;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Limit on waiting for the current run at a stop. A run may wait for Redis indefinitely. */
const STOP_WITHIN_MS = 500;

/**
 * Repeats a function until it is stopped, also after a failure. At a stop, the current run gets a short time to end.
 * The run must tolerate being interrupted.
 */
export function repeat({ run, everyMs, onChange, wait = sleepUnlessAborted }: RepeatSettings): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let failing = false;

  async function runOnce(): Promise<void> {
    try {
      await run();
      if (failing) onChange(null);
      failing = false;
    } catch (error) {
      if (!failing) onChange(error);
      failing = true;
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runOnce();
      await wait(everyMs, stopping.signal);
    }
  }

  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      const timer = new AbortController();
      await Promise.race([ended, sleepUnlessAborted(STOP_WITHIN_MS, timer.signal)]);
      timer.abort();
    },
  };
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
