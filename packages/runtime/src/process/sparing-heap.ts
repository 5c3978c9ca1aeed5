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

/** The growth that holds, and what is known of it. */
export interface Filling {
  readonly growth: HeapGrowth;
  /** When the old space was collected last, in milliseconds. */
  readonly since: number;
  /** How long it took to fill the time before; a growth that is new was not seen yet to be too small. */
  readonly lastMs: number;
}

/** Of a process that starts at `now`. */
export function firstFilling({ growths, tooOftenMs }: Pace, now: number): Filling {
  return { growth: growths[0], since: now, lastMs: tooOftenMs };
}

/**
 * What holds after a collection of the old space at `now`, by how long it took to fill the last two times. On a machine with
 * memory to spare V8 lets it grow to several times of what lives in it, however slowly it fills. Once alone it fills fast
 * when a process starts.
 */
export function afterCollection(filling: Filling, now: number, pace: Pace): Filling {
  const tookMs = now - filling.since;
  const growth = nextGrowth(filling, tookMs, pace);
  const isNew = growth !== filling.growth;
  // One that is new is judged by collections of its own.
  return { growth, since: now, lastMs: isNew ? pace.tooOftenMs : tookMs };
}

function nextGrowth(
  { growth, lastMs }: Filling,
  tookMs: number,
  { growths, tooOftenMs, rarelyMs }: Pace,
): HeapGrowth {
  if (Math.max(lastMs, tookMs) < tooOftenMs) return growths[growths.indexOf(growth) + 1] ?? growth;
  return tookMs > rarelyMs ? growths[0] : growth;
}

/**
 * V8 puts objects straight into the old space where most of what was made in the same place of the code outlived a
 * collection. With groups of requests that is decided by when a collection came, and then held to for all that follow.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/**
 * Has the process hold less memory for a price that its pace bounds (bench/speed-tried.md). V8 looks at the flag before each
 * collection.
 */
export function spareHeap(pace: Pace): void {
  let filling = firstFilling(pace, performance.now());
  const apply = () => setFlagsFromString(`--heap-growing-percent=${filling.growth}`);
  apply();
  setFlagsFromString(NO_PRETENURING);
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries() as unknown as readonly Collection[]) {
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
      const { growth } = filling;
      filling = afterCollection(filling, startTime, pace);
      if (filling.growth !== growth) apply();
    }
  }).observe({ entryTypes: ['gc'] });
}
