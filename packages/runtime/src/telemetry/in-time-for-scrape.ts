import type { Redis } from 'ioredis';

/** Prometheus gives a scrape 10 s; what is asked of Redis for it must not use them up. */
export const SCRAPE_LOOK_MS = 1500;

/** What `look` finds in Redis; undefined where Redis is away or does not answer soon. Never rejects. */
export async function inTimeForScrape<T>(
  redis: Pick<Redis, 'status'>,
  look: () => Promise<T>,
): Promise<T | undefined> {
  if (redis.status !== 'ready') return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SCRAPE_LOOK_MS);
  });
  try {
    // The connection logs what went wrong; here it only matters that there was no answer.
    return await Promise.race([look().catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
