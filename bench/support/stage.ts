/** Something that was started and has to be stopped. */
interface Stoppable {
  stop(): Promise<void>;
}

/** Keeps what is started for one measurement, and hands it back. */
export type Keep = <T extends Stoppable>(started: T | Promise<T>) => Promise<T>;

/** Measures with parts that live as long as the measurement: whatever becomes of it, they are stopped, the last first. */
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
