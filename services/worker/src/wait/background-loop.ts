import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@sluice/runtime/timing/within';

export interface RepeatSettings {
  readonly run: () => Promise<void>;
  /** From the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Called at each change between runs that work and runs that fail. */
  readonly onChange: (error: unknown) => void;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A run may wait for Redis without end, so a stop does not wait for it. */
const STOP_WITHIN_MS = 500;

/**
 * Runs something again and again until it is stopped; a run that fails is followed by the next. The run under way at the
 * stop may end, if it does so soon; it must bear being cut.
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
      await within(STOP_WITHIN_MS, ended, () => undefined);
    },
  };
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
