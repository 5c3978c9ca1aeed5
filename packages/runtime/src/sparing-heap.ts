import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const SPARING = 40;
/** In percent of what lives in the old space; 0 leaves it to V8. */
export type HeapGrowth = 0 | typeof SPARING;

/** As `perf_hooks` tells of one; the types of Node 20 lack `detail`. */
interface Collection extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

/** Between two collections of the old space. Milliseconds. */
export interface Pace {
  /** Where collections come more often, V8's own measure is the better one: marking what lives takes some 10 ms. */
  readonly tooOftenMs: number;
  /** V8's own measure makes them some ten times as rare. */
  readonly rarelyMs: number;
}

/**
 * How far the old space may grow until it is collected again, by how long it took to fill the last two times. On a
 * machine with memory to spare V8 lets it grow to several times of what lives in it, however slowly it fills. Once alone it
 * fills fast when a process starts.
 */
export function nextGrowth(
  growth: HeapGrowth,
  [beforeLastMs, lastMs]: readonly [number, number],
  { tooOftenMs, rarelyMs }: Pace,
): HeapGrowth {
  if (Math.max(beforeLastMs, lastMs) < tooOftenMs) return 0;
  return lastMs > rarelyMs ? SPARING : growth;
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
  let growth: HeapGrowth = SPARING;
  let lastAt = performance.now();
  let lastMs = pace.tooOftenMs;
  const apply = () => setFlagsFromString(`--heap-growing-percent=${growth}`);
  apply();
  setFlagsFromString(NO_PRETENURING);
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries() as unknown as readonly Collection[]) {
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
      const before = growth;
      growth = nextGrowth(growth, [lastMs, startTime - lastAt], pace);
      [lastAt, lastMs] = [startTime, startTime - lastAt];
      if (growth !== before) apply();
    }
  }).observe({ entryTypes: ['gc'] });
}
