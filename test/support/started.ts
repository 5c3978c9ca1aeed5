/** Records what was started and how to stop it, so that a failed start can stop everything. */
export interface Started {
  /** Registers a stop function. After the stop, it is called at once. */
  onStop(stop: () => unknown): void;
  /** Resolves to the started part, and registers its stop function. */
  keep<T>(starting: Promise<T>, stop: (one: T) => unknown): Promise<T>;
  /** The same for several parts. If one fails, this waits for the others first, because they must be stopped too. */
  all<T>(starting: readonly Promise<T>[]): Promise<T[]>;
  /** Stops everything in reverse order, and then throws the first failure. Safe to call again. */
  stop(): Promise<void>;
}

export function createStarted(): Started {
  const stops: (() => unknown)[] = [];
  let over = false;
  const onStop = (stop: () => unknown) => {
    if (over) void stop();
    else stops.push(stop);
  };
  return {
    onStop,
    async keep(starting, stop) {
      const one = await starting;
      onStop(() => stop(one));
      return one;
    },
    async all(starting) {
      await Promise.allSettled(starting);
      return Promise.all(starting);
    },
    async stop() {
      const failures: unknown[] = [];
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
        try {
          await stop();
        } catch (error) {
          failures.push(error);
        }
      }
      over = true;
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Runs `start`. If it fails, everything started is stopped before the error is thrown. */
export async function orStopped<T>(started: Started, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await started.stop().catch(() => {});
    throw error;
  }
}
