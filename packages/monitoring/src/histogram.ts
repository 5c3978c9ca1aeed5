/** Upper bounds of the buckets, in milliseconds. One more bucket has the durations above the last bound. */
const BOUNDS_MS = [
  1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2500, 5000, 10_000,
  30_000, 60_000, 300_000, 1_800_000, 3_600_000,
] as const;

/** The bucket that a duration falls into. */
export function bucketOf(ms: number): number {
  const at = BOUNDS_MS.findIndex((bound) => ms <= bound);
  return at === -1 ? BOUNDS_MS.length : at;
}

/** Estimates the value below which a share of the counts lies, from counts by bucket; null if there are none. */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const bucket of [...counts.keys()].sort((a, b) => a - b)) {
    const inside = counts.get(bucket) ?? 0;
    if (below + inside >= share * total) return within(bucket, (share * total - below) / inside);
    below += inside;
  }
  return BOUNDS_MS.at(-1) ?? null;
}

/** Assumes an even spread between the bounds of the bucket. */
function within(bucket: number, share: number): number {
  const low = BOUNDS_MS[bucket - 1] ?? 0;
  const high = BOUNDS_MS[bucket] ?? low;
  return Math.round((low + (high - low) * share) * 10) / 10;
}
