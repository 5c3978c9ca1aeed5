/** Something that was started and must be stopped. */
interface Stoppable {
  stop(): Promise<void>;
}

/** Registers a part that was started for one measurement, and returns it. */
export type Keep = <T extends Stoppable>(started: T | Promise<T>) => Promise<T>;

/** Measures with parts that live as long as the measurement. Stops them in reverse order, also after a failure. */
export async function onStage<T>(measure: (keep: Keep) => Promise<T>): Promise<T> {
  const kept: Stoppable[] = [];
  try {
    return await measure(async (started) => {
      const part = await started;
      kept.push(part);
      return part;
    });
  } finally {
    for (const part of kept.reverse()) await part.stop();
  }
}
