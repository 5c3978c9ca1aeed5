/**
 * The rate limit of a source as expressions of Lua: GCRA (the generic cell rate algorithm) by Redis's clock. It stores one
 * number for a source, `tat`: the theoretical arrival time of the next request, in microseconds. A request costs `interval`,
 * and `window` is the cost of a whole burst. They are expressions and no functions, as a call for each request costs time.
 */
export const RATE_LIMIT = {
  /** `tat` as stored, but not in the past, and at most one whole burst ahead. */
  cut: (stored: string) => `max(now, min(${stored}, now + window))`,
  /** Microseconds until a request of this cost is allowed. 0 or less: it is allowed now. */
  wait: (cost: string) => `tat + ${cost} - window - now`,
  /** How many requests are allowed now. */
  remaining: (interval: string) => `floor((now + window - tat) / ${interval})`,
  /** Microseconds until the whole burst is free again. */
  reset: 'ceil(tat - now)',
} as const;
