import type { Redis } from 'ioredis';
import { within } from '../process/within.ts';

/** Prometheus gives a scrape 10 s; what is asked of Redis for it must not use them up. */
export const SCRAPE_LOOK_MS = 1500;

/** What `look` finds in Redis; undefined where Redis is away or does not answer soon. Never rejects. */
export async function inTimeForScrape<T>(
  redis: Pick<Redis, 'status'>,
  look: () => Promise<T>,
): Promise<T | undefined> {
  if (redis.status !== 'ready') return undefined;
  // The connection logs the error; here it only matters that there is no value.
  const found = look().catch(() => undefined);
  return within(SCRAPE_LOOK_MS, found, () => undefined);
}
