import type { Cluster, Redis } from 'ioredis';
import type { Keyspace } from '../keyspace.ts';
import { hashSlot } from './hash-slot.ts';

/** Names the server of a shard, as far as the Cluster client knows; '' without a Cluster. */
export function shardOwner(redis: Redis, { tag }: Keyspace): () => string {
  if (!redis.isCluster) return () => '';
  const cluster = redis as unknown as Cluster;
  const slot = hashSlot(tag);
  return () => cluster.slots[slot]?.[0] ?? '';
}
