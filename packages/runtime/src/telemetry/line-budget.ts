export interface LineBudgetSettings {
  readonly perSecond: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Keeps a flood of events from becoming a flood of log lines. */
export interface LineBudget {
  /** Whether one more line may be written, and how many were dropped since the last one. */
  take(): { readonly unlogged: number } | undefined;
}

/** Allows the first lines of each second, up to a limit, and counts the others. */
export function createLineBudget({
  perSecond,
  now = () => performance.now(),
}: LineBudgetSettings): LineBudget {
  let second = Number.NEGATIVE_INFINITY;
  let written = 0;
  let unlogged = 0;
  return {
    take() {
      const current = Math.floor(now() / 1000);
      if (current !== second) {
        second = current;
        written = 0;
      }
      if (written >= perSecond) {
        unlogged += 1;
        return undefined;
      }
      written += 1;
      const taken = { unlogged };
      unlogged = 0;
      return taken;
    },
  };
}
