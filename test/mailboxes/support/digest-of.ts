import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';

/** Everything in Redis but the texts. */
export async function digestOf(redis: Redis, keyspace: Keyspace): Promise<string> {
  const keys = (await redis.keys(`${keyspace.prefix}:*`)).sort();
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return keys.map((key, index) => `${key} ${dumps[index]?.toString('hex')}`).join('\n');
}
