import type { Redis } from 'ioredis';
import { within } from '../timing/within.ts';

/** The longest wait for Redis during a scrape. Prometheus gives a scrape 10 s. */
export const SCRAPE_LOOK_MS = 1500;

/** Resolves to the value of `look`; undefined: Redis is away or too slow. Never rejects. */
export async function inTimeForScrape<T>(
  redis: Pick<Redis, 'status'>,
  look: () => Promise<T>,
): Promise<T | undefined> {
  if (redis.status !== 'ready') return undefined;
  // The connection logs the error; here it only matters that there is no value.
  const found = look().catch(() => undefined);
  return within(SCRAPE_LOOK_MS, found, () => undefined);
}
