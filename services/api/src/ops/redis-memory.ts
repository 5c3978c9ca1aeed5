import type { Ops } from '@sluice/dashboard-api/ops';
import { createShardNode } from '@sluice/redis/shards/shard-node';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';

/** Memory use of Redis; a limit of 0 means none. In a Cluster the fullest server counts: it rejects writes first. */
export async function readMemory(redis: Redis, shards: Shards): Promise<Ops['redis']> {
  const infos = await Promise.all(shards.all.map((keyspace) => createShardNode(redis, keyspace).info()));
  const memories = infos.map((info) => ({
    used_bytes: field(info, 'used_memory'),
    max_bytes: field(info, 'maxmemory') || null,
  }));
  return memories.reduce((fullest, one) => (share(one) > share(fullest) ? one : fullest));
}

function field(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}

function share({ used_bytes, max_bytes }: Ops['redis']): number {
  return used_bytes / (max_bytes ?? Number.MAX_SAFE_INTEGER);
}
