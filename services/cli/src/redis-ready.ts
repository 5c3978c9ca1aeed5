import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { connectRedis } from '@sluice/runtime/redis/redis-connection';

type Redis = ReturnType<typeof connectRedis>;

/** Resolves once commands can be sent; rejects at the first failure to connect, and when nothing comes of it in time. */
export async function untilReady(redis: Redis, patienceMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const over = new AbortController();
  const { signal } = over;
  const late = delay(patienceMs, undefined, { signal }).then(() => Promise.reject(new Error('no answer')));
  try {
    // `once` rejects when `error` comes first.
    await Promise.race([once(redis, 'ready', { signal }), late]);
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
