import type { Producer } from '@sluice/queue/producer';
import { createShardNode, type ShardNode } from '@sluice/shards/shard-node';
import type { Shards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';
import type { Vitals } from './gate.ts';

export interface RedisVitals extends Vitals {
  /** Another id: Redis may have lost writes (see run.lua.ts of packages/shards). '' if it names none. */
  readonly replicationId: string;
}

/** Reads the memory and the replicas of Redis, and the backlog of the workers. */
export async function readRedisVitals(
  node: Pick<ShardNode, 'info'>,
  producer: Pick<Producer, 'backlog'>,
): Promise<RedisVitals> {
  const [info, backlog] = await Promise.all([node.info(), producer.backlog()]);
  return {
    usedMemory: numberIn(info, 'used_memory'),
    maxMemory: numberIn(info, 'maxmemory'),
    replicas: info.match(/^slave\d+:.*\bstate=online\b/gm)?.length ?? 0,
    replicationId: /^master_replid:(\w+)/m.exec(info)?.[1] ?? '',
    backlog,
  };
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
