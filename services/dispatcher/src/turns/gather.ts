/** How long turns, claims and logs wait for others. Milliseconds. */
export const GATHER_MS = 5;
/** With so many turns their number decides what they cost. With fewer, none waits for others. */
export const MANY_TURNS = 16;

/**
 * Makes a wait of at most `ms` that all who wait at the same time end together. So what they do next can share a round trip, and
 * they share a timer.
 */
export function createGather(ms: number): () => Promise<void> {
  let gathering: Promise<void> | undefined;
  return () => {
    gathering ??= new Promise((resolve) => {
      setTimeout(() => {
        gathering = undefined;
        resolve();
      }, ms);
    });
    return gathering;
  };
}
