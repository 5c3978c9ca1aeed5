import { once } from 'node:events';
import type { connectRedis } from '@sluice/runtime/redis/redis-connection';
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

/** Whether a command failed because Redis went away or did not answer in time. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || AWAY.test(error.message);
}

const AWAY =
  /^(Connection is closed|Command timed out|Stream isn't writeable|not connected to Redis)|^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|OOM) /;
