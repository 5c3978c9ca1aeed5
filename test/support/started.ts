/** What was started so far and how each is stopped: whoever fails half-way knows of all of it. */
export interface Started {
  /** Keeps how something is stopped that is there at once; what comes after the stop is stopped right away. */
  onStop(stop: () => unknown): void;
  /** Resolves to what was started, and keeps how to stop it. */
  keep<T>(starting: Promise<T>, stop: (one: T) => unknown): Promise<T>;
  /** The same of many at once. Where one fails the others are waited for first, for they too have to be stopped. */
  all<T>(starting: readonly Promise<T>[]): Promise<T[]>;
  /** Stops everything, the last first, and throws the first failure once all is stopped. Safe to call again. */
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

/** Runs what starts things; where it fails, all that it had started is stopped before the failure goes on. */
export async function orStopped<T>(started: Started, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await started.stop().catch(() => {});
    throw error;
  }
}
