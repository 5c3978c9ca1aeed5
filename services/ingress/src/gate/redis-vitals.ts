import type { Producer } from '@sluice/queue/producer';
import { createShardNode, type ShardNode } from '@sluice/redis/shards/shard-node';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import type { Vitals } from './gate.ts';

export interface RedisVitals extends Vitals {
  /** Another id: Redis may have lost writes (see run.lua.ts of packages/redis). '' if it names none. */
  readonly replicationId: string;
  /** The id of the newest group of actions (see lost-writes.ts). */
  readonly lastActions: number;
}

/** Reads the memory and the replicas of Redis, and the backlog of the workers. */
export async function readRedisVitals(
  node: Pick<ShardNode, 'info'>,
  producer: Pick<Producer, 'backlog' | 'lastActions'>,
): Promise<RedisVitals> {
  const before = Date.now();
  const [info, backlog, lastActions] = await Promise.all([
    node.info(),
    producer.backlog(),
    producer.lastActions(),
  ]);
  return {
    usedMemory: numberIn(info, 'used_memory'),
    maxMemory: numberIn(info, 'maxmemory'),
    replicas: info.match(/^slave\d+:.*\bstate=online\b/gm)?.length ?? 0,
    replicationId: /^master_replid:(\w+)/m.exec(info)?.[1] ?? '',
    clockOffMs: clockOff(numberIn(info, 'server_time_usec') / 1000, before, Date.now()),
    backlog,
    lastActions,
  };
}

/** Milliseconds beyond the time of the request to Redis and its answer, which may have waited in this process. */
function clockOff(redisMs: number, before: number, after: number): number {
  // Some servers that resemble Redis name no time.
  if (redisMs === 0) return 0;
  return Math.max(before - redisMs, redisMs - after, 0);
}

/** Redis must never evict keys. Returns its eviction policy if that is wrong, else null. */
export async function wrongEvictionPolicy(redis: Redis, shards: Shards): Promise<string | null> {
  const infos = await Promise.all(shards.all.map((keyspace) => createShardNode(redis, keyspace).info()));
  const policies = infos.map((info) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1]);
  return policies.find((policy) => policy !== undefined && policy !== 'noeviction') ?? null;
}

function numberIn(info: string, field: string): number {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
