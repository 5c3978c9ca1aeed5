/** The bounds of the waits between attempts, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** 2 ** 30 times any wait is longer than the longest. */
const MOST_DOUBLINGS = 30;

/** Milliseconds to wait after failed attempt `attempt` (from 1): doubles each time, up to the longest wait. */
export function backoffMs({ firstMs, longestMs }: Backoff, attempt: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS));
}
