import type { Producer } from '@sluice/queue/producer';
import type { Redis } from 'ioredis';
import type { Vitals } from './gate.ts';

/** How full Redis is, and how much waits in it for the workers. */
export async function readRedisVitals(redis: Redis, producer: Pick<Producer, 'backlog'>): Promise<Vitals> {
  const [info, backlog] = await Promise.all([redis.info('memory'), producer.backlog()]);
  return { usedMemory: numberIn(info, 'used_memory'), maxMemory: numberIn(info, 'maxmemory'), backlog };
}

/** Redis must never throw away what it holds: what it says of its eviction policy, where that is wrong. */
export async function wrongEvictionPolicy(redis: Redis): Promise<string | null> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  return policy === undefined || policy === 'noeviction' ? null : policy;
}

function numberIn(info: string, field: string): number {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
