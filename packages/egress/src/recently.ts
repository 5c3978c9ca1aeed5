import { performance } from 'node:perf_hooks';

/** Remembers when something last happened. */
export interface Recently {
  happened(): void;
  isRecent(): boolean;
}

/** `withinMs`: for how long it counts as recent. */
export function createRecently(withinMs: number): Recently {
  let at = Number.NEGATIVE_INFINITY;
  return {
    happened() {
      at = performance.now();
    },
    isRecent: () => performance.now() - at < withinMs,
  };
}
