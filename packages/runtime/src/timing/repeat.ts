export interface RepeatSettings {
  /** One run. A long one asks `isStopped` whether to end early. */
  readonly run: (isStopped: () => boolean) => Promise<unknown>;
  /** From the end of one run to the start of the next. Milliseconds. */
  readonly everyMs: number;
  /** Called with the error of each failed run. The next run follows. */
  readonly onError: (error: unknown) => void;
}

/** Work in the background that is repeated until it is stopped. */
export interface Repeated {
  /** Begins a run at once, or right after the run under way. */
  runNow(): void;
  /** Resolves once the run under way has ended. No other run follows. */
  stop(): Promise<void>;
}

/** Repeats work, one run at a time. The first run begins after `everyMs`. It does not keep the process alive. */
export function repeat({ run, everyMs, onError }: RepeatSettings): Repeated {
  let stopped = false;
  let isWantedAgain = false;
  let running: Promise<void> | undefined;
  let timer = later();
  const isStopped = () => stopped;

  function later(): NodeJS.Timeout {
    return setTimeout(begin, everyMs).unref();
  }

  function begin(): void {
    clearTimeout(timer);
    running = runWanted().finally(() => {
      running = undefined;
      if (!stopped) timer = later();
    });
  }

  async function runWanted(): Promise<void> {
    do {
      isWantedAgain = false;
      await run(isStopped).catch(onError);
    } while (isWantedAgain && !stopped);
  }

  return {
    runNow() {
      if (running !== undefined) isWantedAgain = true;
      else if (!stopped) begin();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
