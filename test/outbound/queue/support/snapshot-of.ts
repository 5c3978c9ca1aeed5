import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/**
 * Remembers everything in Redis. The result brings it back, as a replica that takes over or a Redis that restarts without its last
 * writes: it is another run, so everything must be published again.
 */
export async function snapshotOf(redis: Redis, keyspace: Keyspace): Promise<() => Promise<void>> {
  const list = () => redis.keys(`${keyspace.prefix}:*`);
  const keys = await list();
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return async () => {
    await redis.del(...(await list()));
    for (const [index, key] of keys.entries()) await redis.restore(key, 0, dumps[index] as Buffer);
    for (const key of keys)
      if ((await redis.type(key)) === 'hash' && (await redis.hexists(key, 'run')))
        await redis.hset(key, 'run', 'f0');
  };
}
