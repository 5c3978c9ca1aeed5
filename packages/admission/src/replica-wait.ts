import { shardOwner } from '@sluice/redis/shards/shard-connection';
import { createShardNode } from '@sluice/redis/shards/shard-node';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';

/**
 * Call it before a write to a shard, and call its result after the write. That resolves once the configured number of Redis
 * replicas have the write. It rejects if fewer have it in time, or if that is unknown. The write itself stays: the sender
 * is asked to retry, and the retry has no second effect.
 */
export type ReplicaWait = () => () => Promise<void>;

/** Shorter than the timeout of a Redis command (1 s), so that Redis can return the number of replicas. */
export const WAIT_MS = 800;

const held = Promise.resolve();
const none: ReplicaWait = () => () => held;

/**
 * Creates one for each shard. `WAIT` covers only the writes of its connection. On a new connection, or on a server that
 * has just taken over, it would return that every replica has all writes. So the wait rejects if either has changed since.
 */
export function createReplicaWaits({
  redis,
  shards,
  replicas,
}: {
  redis: Redis;
  shards: Shards;
  replicas: number;
}): readonly ReplicaWait[] {
  if (replicas === 0) return shards.all.map(() => none);
  const losses = countLosses(redis);
  return shards.all.map((keyspace) => {
    const node = createShardNode(redis, keyspace);
    const owner = shardOwner(redis, keyspace);
    const connection = () => `${owner()} ${losses(owner())}`;
    return () => {
      const before = connection();
      return async () => {
        const count = await node.wait(replicas, WAIT_MS);
        if (connection() !== before)
          throw new Error('Command timed out: Redis failed over before its replicas could confirm the write');
        if (count < replicas)
          throw new Error(`Command timed out: ${count} of ${replicas} Redis replicas hold the write`);
      };
    };
  });
}

/** Resolves to the result of `write`, once the configured number of Redis replicas have its writes. */
export type HoldWrites = <T>(write: () => Promise<T>) => Promise<T>;

/** For writes to several shards. It rejects if one shard cannot confirm its writes. The writes stay. */
export function createHoldWrites(waits: readonly ReplicaWait[]): HoldWrites {
  return async (write) => {
    const held = waits.map((begin) => begin());
    const result = await write();
    // The waits run in sequence: shards may share a connection, and a WAIT blocks the commands behind it.
    for (const wait of held) await wait();
    return result;
  };
}

/** Counts how often the connection to a server was lost. Without a Cluster the server is ''. */
function countLosses(redis: Redis): (server: string) => number {
  const counts = new Map<string, number>();
  const lose = (server: string) => void counts.set(server, (counts.get(server) ?? 0) + 1);
  redis.on('close', () => lose(''));
  // A Cluster client drops a server whose connection has closed.
  redis.on('-node', ({ options: { host, port } }: Redis) => lose(`${host}:${port}`));
  return (server) => counts.get(server) ?? 0;
}
