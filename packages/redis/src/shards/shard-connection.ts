/// <reference path="./cluster-key-slot.d.ts" />

import calculateSlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import type { Keyspace } from '../keyspace.ts';

/** The slot of a Redis Cluster that a hash tag's content is in. */
export function hashSlot(tag: string): number {
  return calculateSlot(tag);
}

/**
 * A connection that can send a command (`ready`), connects for it (`wait`), or keeps it while it completes its handshake
 * (`connect`). One that is `connecting` would keep it too. But a host that vanished holds up all later commands then, until the
 * timeout, although the Cluster may already have another server for the slot.
 */
const USABLE = new Set(['ready', 'wait', 'connect']);

/**
 * Returns the connection to the server of a shard, as far as the Cluster client knows; undefined while there is none. Without a
 * Cluster it is `redis`. A command that is sent on it directly stays there: the Cluster client does not repeat it at another
 * server. Another server is another object, and so is the same server after the connection was lost.
 */
export function shardConnection(redis: Redis, { tag }: Keyspace): () => Redis | undefined {
  if (!redis.isCluster) return () => redis;
  const cluster = redis as unknown as Cluster;
  const slot = hashSlot(tag);
  let owner: string | undefined;
  let connection: Redis | undefined;
  return () => {
    if (cluster.status !== 'ready') return undefined;
    const current = cluster.slots[slot]?.[0];
    // A connection of a Cluster client never becomes ready again after its end.
    if (current !== owner || connection?.status !== 'ready') {
      owner = current;
      connection = cluster.nodes().find(({ options: { host, port } }) => `${host}:${port}` === owner);
    }
    return connection !== undefined && USABLE.has(connection.status) ? connection : undefined;
  };
}

/** Names the server of a shard, as far as the Cluster client knows; '' without a Cluster. */
export function shardOwner(redis: Redis, { tag }: Keyspace): () => string {
  if (!redis.isCluster) return () => '';
  const cluster = redis as unknown as Cluster;
  const slot = hashSlot(tag);
  return () => cluster.slots[slot]?.[0] ?? '';
}
