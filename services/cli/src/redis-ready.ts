import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { connectRedis } from '@sluice/runtime/redis/redis-connection';

type Redis = ReturnType<typeof connectRedis>;

/** Resolves once commands can be sent. Rejects at the first failure to connect, and after `timeoutMs`. */
export async function untilReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const over = new AbortController();
  const { signal } = over;
  const late = delay(timeoutMs, undefined, { signal }).then(() => Promise.reject(new Error('no response')));
  try {
    // `once` rejects if `error` is emitted first.
    await Promise.race([once(redis, 'ready', { signal }), late]);
  } finally {
    over.abort();
  }
}

/** Whether a command failed because Redis became unavailable or didn't respond in time. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || AWAY.test(error.message);
}

const AWAY =
  /^(Connection is closed|Command timed out|Stream isn't writeable|not connected to Redis)|^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|OOM) /;
