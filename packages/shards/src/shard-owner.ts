import type { Cluster, Redis } from 'ioredis';
import { hashSlot } from './hash-slot.ts';
import type { Keyspace } from './keyspace.ts';

/** Names the server of a shard, as far as the Cluster client knows; '' without a Cluster. */
export function shardOwner(redis: Redis, { tag }: Keyspace): () => string {
  if (!redis.isCluster) return () => '';
  const cluster = redis as unknown as Cluster;
  const slot = hashSlot(tag);
  return () => cluster.slots[slot]?.[0] ?? '';
}
