import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const SPARING = 40;
/** In percent of what lives in the old space; 0 leaves it to V8. */
export type HeapGrowth = 0 | typeof SPARING;

/** As `perf_hooks` tells of one; the types of Node 20 lack `detail`. */
interface Collection extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

/** Marking what lives takes a worker some 10 ms: where that comes more often than this, V8's own measure is the better one. */
const TOO_OFTEN_MS = 700;
/** V8's own measure makes collections some ten times as rare. */
const RARELY_MS = 8_000;

/**
 * How far the old space may grow until it is collected again, by how long it took to fill the last two times. On a
 * machine with memory to spare V8 lets it grow to several times of what lives in it, however slowly it fills. Once alone it
 * fills fast when a process starts.
 */
export function nextGrowth(growth: HeapGrowth, beforeLastMs: number, lastMs: number): HeapGrowth {
  if (Math.max(beforeLastMs, lastMs) < TOO_OFTEN_MS) return 0;
  return lastMs > RARELY_MS ? SPARING : growth;
}

/**
 * Has the process hold less memory where there is little to do, and costs nothing where there is much: a worker at 1,600
 * actions/s, 138 MiB instead of 183 (docs/speed-tried.md). V8 looks at the flag before each collection.
 */
export function spareHeap(): void {
  let growth: HeapGrowth = SPARING;
  let lastAt = performance.now();
  let lastMs = TOO_OFTEN_MS;
  const apply = () => setFlagsFromString(`--heap-growing-percent=${growth}`);
  apply();
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries() as unknown as readonly Collection[]) {
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
      const before = growth;
      growth = nextGrowth(growth, lastMs, startTime - lastAt);
      [lastAt, lastMs] = [startTime, startTime - lastAt];
      if (growth !== before) apply();
    }
  }).observe({ entryTypes: ['gc'] });
}
