import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/** Everything in Redis but the noted time of its clock, which each claim and settlement may renew. */
export async function digestOf(redis: Redis, keyspace: Keyspace): Promise<string> {
  const all = await redis.keys(`${keyspace.prefix}:*`);
  const keys = all.filter((key) => key !== keyspace.turnsClock).sort();
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return keys.map((key, index) => `${key} ${dumps[index]?.toString('hex')}`).join('\n');
}
