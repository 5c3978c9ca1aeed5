import type { Redis } from 'ioredis';
import { inTimeForScrape } from './in-time-for-scrape.ts';
import type { Metrics } from './metrics.ts';

/**
 * Reports at every scrape how far this process's clock is ahead of Redis's. The clock of the ingress decides on a sender's
 * timestamp, sequence numbers come from the clock of Redis, and a lag is the difference of two clocks.
 */
export function observeClock({ metrics, redis }: { metrics: Metrics; redis: Redis }): void {
  metrics.gauge({
    name: 'sluice_clock_offset_seconds',
    help: "How far this process's clock is ahead of Redis's. NaN: Redis does not answer.",
    aggregator: 'average',
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
