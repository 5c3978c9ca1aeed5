import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** As `perf_hooks` tells of one; the types of Node 20 lack `detail`. */
interface Collection extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

/** How far the old space may grow until it is collected again, in percent of what lives in it; 0 leaves that to V8. */
export type HeapGrowth = number;

/** What a process spends on having less memory. */
export interface Pace {
  /** From the most sparing one on. */
  readonly growths: readonly [HeapGrowth, ...HeapGrowth[]];
  /** Where collections come more often than so many milliseconds, the next growth is the better one: marking what lives takes some 10 ms. */
  readonly tooOftenMs: number;
  /** Where they come more rarely than so many milliseconds, the first one costs little. V8's own makes them three to ten times as rare. */
  readonly rarelyMs: number;
}

/**
 * The growth from now on, by how long it took to fill the old space the last two times. On a machine with memory to spare
 * V8 lets it grow to several times of what lives in it, however slowly it fills. Once alone it fills fast when a process
 * starts.
 */
export function nextGrowth(
  growth: HeapGrowth,
  [beforeLastMs, lastMs]: readonly [number, number],
  { growths, tooOftenMs, rarelyMs }: Pace,
): HeapGrowth {
  if (Math.max(beforeLastMs, lastMs) < tooOftenMs) return growths[growths.indexOf(growth) + 1] ?? growth;
  return lastMs > rarelyMs ? growths[0] : growth;
}

/**
 * V8 puts objects straight into the old space where most of what was made in the same place of the code outlived a
 * collection. With groups of requests that is decided by when a collection came, and then held to for all that follow.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/**
 * Has the process hold less memory for a price that its pace bounds (docs/speed-tried.md). V8 looks at the flag before each
 * collection.
 */
export function spareHeap(pace: Pace): void {
  let [growth] = pace.growths;
  let lastAt = performance.now();
  let lastMs = pace.tooOftenMs;
  const apply = () => setFlagsFromString(`--heap-growing-percent=${growth}`);
  apply();
  setFlagsFromString(NO_PRETENURING);
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries() as unknown as readonly Collection[]) {
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
      const next = nextGrowth(growth, [lastMs, startTime - lastAt], pace);
      // One that is new is judged by collections of its own.
      lastMs = next === growth ? startTime - lastAt : pace.tooOftenMs;
      lastAt = startTime;
      if (next === growth) continue;
      growth = next;
      apply();
    }
  }).observe({ entryTypes: ['gc'] });
}
