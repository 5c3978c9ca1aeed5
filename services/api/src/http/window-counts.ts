export interface WindowCounts {
  /** Counts one more of `who` in the current window. Returns the whole seconds until the next one if that is too many, else 0. */
  take(who: string): number;
}

/** Counts in this process by fixed windows, so that it works without Redis and forgets everybody at the end of each window. */
export function createWindowCounts(most: number, windowMs: number): WindowCounts {
  let current = Number.NEGATIVE_INFINITY;
  const counts = new Map<string, number>();
  return {
    take(who) {
      const now = performance.now();
      const window = Math.floor(now / windowMs);
      if (window !== current) counts.clear();
      current = window;
      const count = (counts.get(who) ?? 0) + 1;
      counts.set(who, count);
      return count <= most ? 0 : Math.ceil(((window + 1) * windowMs - now) / 1000);
    },
  };
}
