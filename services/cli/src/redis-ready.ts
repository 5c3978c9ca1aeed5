import { once } from 'node:events';
import type { connectRedis } from '@sluice/redis/connection/redis-connection';
import { within } from '@sluice/runtime/timing/within';

type Redis = ReturnType<typeof connectRedis>;

/** Resolves once commands can be sent; rejects at the first failure to connect, and without a connection in time. */
export async function untilReady(redis: Redis, patienceMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const over = new AbortController();
  const { signal } = over;
  try {
    // `once` rejects when `error` comes first.
    await within(patienceMs, once(redis, 'ready', { signal }), () => {
      throw new Error('no answer');
    });
  } finally {
    over.abort();
  }
}
