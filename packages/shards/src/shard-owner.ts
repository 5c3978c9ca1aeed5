import type { Cluster, Redis } from 'ioredis';
import { hashSlot } from './hash-slot.ts';
import type { Keyspace } from './keyspace.ts';

/** Names the server that a shard is on, as far as the Cluster client knows; '' where there is one server only. */
export function shardOwner(redis: Redis, { tag }: Keyspace): () => string {
  if (!redis.isCluster) return () => '';
  const cluster = redis as unknown as Cluster;
  const slot = hashSlot(tag);
  return () => cluster.slots[slot]?.[0] ?? '';
}
