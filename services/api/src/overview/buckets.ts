import { HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { Overview, Range } from '@sluice/dashboard-api/overview';
import { percentile } from '@sluice/monitoring/histogram';
import type { ActivitySlot } from '@sluice/monitoring/read-activity';

/** Length and number of buckets for each range, and the counters they are built from. */
export const RANGE_BUCKETS: Record<Range, { bucketMs: number; buckets: number; unit: 'minutes' | 'hours' }> =
  {
    '1h': { bucketMs: MINUTE_MS, buckets: 60, unit: 'minutes' },
    '24h': { bucketMs: 15 * MINUTE_MS, buckets: 96, unit: 'minutes' },
    '7d': { bucketMs: HOUR_MS, buckets: 168, unit: 'hours' },
    '30d': { bucketMs: 6 * HOUR_MS, buckets: 120, unit: 'hours' },
  };

/** Adds up the slots of each bucket. Returns one map of counters per bucket, oldest first. */
export function bucketsOf(
  slots: readonly ActivitySlot[],
  first: number,
  bucketMs: number,
  count: number,
): Map<string, number>[] {
  const buckets = Array.from({ length: count }, () => new Map<string, number>());
  for (const { at, counts } of slots) {
    const bucket = buckets[Math.floor((at - first) / bucketMs)];
    if (bucket !== undefined) addInto(bucket, counts);
  }
  return buckets;
}

/** Adds counters to sums. Names that start with `max:` are samples, so their maximum is kept. */
export function addInto(sums: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) {
    const before = sums.get(name) ?? 0;
    sums.set(name, name.startsWith('max:') ? Math.max(before, count) : before + count);
  }
}

/** The counters whose names start with a prefix, keyed by the rest of the name. */
export function startingWith(counts: ReadonlyMap<string, number>, prefix: string): Map<string, number> {
  const found = [...counts].filter(([name]) => name.startsWith(prefix));
  return new Map(found.map(([name, count]) => [name.slice(prefix.length), count]));
}

/** Percentiles of a distribution that was counted in latency buckets. */
export function percentilesOf(
  counts: ReadonlyMap<string, number>,
  prefix: string,
): Overview['totals']['lag_ms'] {
  const distribution = new Map(
    [...startingWith(counts, prefix)].map(([bucket, count]) => [Number(bucket), count]),
  );
  return {
    p50: percentile(distribution, 0.5),
    p95: percentile(distribution, 0.95),
    p99: percentile(distribution, 0.99),
  };
}
