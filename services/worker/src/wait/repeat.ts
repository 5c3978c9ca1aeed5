import { setTimeout as sleep } from 'node:timers/promises';

export interface RepeatSettings {
  readonly run: () => Promise<void>;
  /** From the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Told of each change between runs that work and runs that fail. */
  readonly onChange: (error: unknown) => void;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Runs something again and again until it is stopped; a run that fails is followed by the next. */
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
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
