import type { Redis } from 'ioredis';

/** A busy Redis ends a wait late. Milliseconds. */
const LATE_MS = 2_000;

/**
 * Resolves once a list has an element, which it removes, or after `waitMs`. Redis ends the wait by its clock: if that is set back by an
 * hour meanwhile, it waits for an hour. Then the connection is opened again.
 */
export async function popWithin(
  redis: Pick<Redis, 'blpop' | 'disconnect'>,
  key: string,
  waitMs: number,
): Promise<void> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    redis.disconnect(true);
  }, waitMs + LATE_MS);
  timer.unref();
  try {
    // A timeout of 0 would block without end.
    await redis.blpop(key, Math.max(waitMs, 1) / 1000);
  } catch (error) {
    if (!late) throw error;
  } finally {
    clearTimeout(timer);
  }
}
