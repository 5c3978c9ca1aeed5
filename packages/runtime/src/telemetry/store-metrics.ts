import type { Redis } from 'ioredis';
import { within } from '../timing/within.ts';
import { PROCESS_METRICS, WORKER_METRICS } from './metric-catalog.ts';
import type { Metrics } from './metrics.ts';

const STORES = ['redis', 'mongodb'];

/** Reports at every scrape which stores answer, from the look that /readyz makes. `look` names those that the process needs. */
export function observeStores({
  metrics,
  look,
}: {
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly look: () => Promise<Readonly<Record<string, string>>>;
}): void {
  metrics.gauge({
    ...WORKER_METRICS.sluice_store_up,
    async collect() {
      const found = await look();
      for (const store of STORES) if (store in found) this.set({ store }, Number(found[store] === 'ok'));
    },
  });
}

/**
 * Reports at every scrape how far this process's clock is ahead of Redis's. The clock of the ingress decides on a sender's
 * timestamp, sequence numbers come from the clock of Redis, and a lag is the difference of two clocks.
 */
export function observeClock({ metrics, redis }: { metrics: Metrics; redis: Redis }): void {
  metrics.gauge({
    ...PROCESS_METRICS.sluice_clock_offset_seconds,
    async collect() {
      this.set((await inTimeForScrape(redis, () => clockOffset(redis))) ?? Number.NaN);
    },
  });
}

/** Seconds. Assumes that the request and the response took equally long. */
async function clockOffset(redis: Redis): Promise<number> {
  const before = Date.now();
  const [seconds, microseconds] = (await redis.time()) as unknown as [string | number, string | number];
  const middle = (before + Date.now()) / 2;
  return middle / 1000 - (Number(seconds) + Number(microseconds) / 1e6);
}

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
