import { createShardNode } from '@sluice/shards/shard-node';
import { shardOwner } from '@sluice/shards/shard-owner';
import type { Shards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';

/**
 * Called before something is written to a shard; what it returns is called afterwards, and resolves once as many Redis
 * replicas as asked for hold it. It rejects when fewer do in time, or when that cannot be told. What was written stays
 * written: the sender is told to send again, and the repetition has no second effect.
 */
export type ReplicaWait = () => () => Promise<void>;

/** Shorter than the time-out of a Redis command (1 s), so that Redis says how many there were. */
export const WAIT_MS = 800;

const held = Promise.resolve();
const none: ReplicaWait = () => () => held;

/**
 * One for each shard. `WAIT` speaks of what its own connection has written. On a new connection, or of a server that took
 * over meanwhile, it would say that every replica has it, and mean nothing at all: so where either has changed since,
 * nothing counts as held.
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

/** Resolves to what `write` resolves to, once as many Redis replicas as asked for hold what it wrote. */
export type HoldWrites = <T>(write: () => Promise<T>) => Promise<T>;

/** For what writes to several shards. It rejects where one of them cannot confirm; what was written stays written. */
export function createHoldWrites(waits: readonly ReplicaWait[]): HoldWrites {
  return async (write) => {
    const held = waits.map((begin) => begin());
    const result = await write();
    // One after the other: shards may share a connection, and each keeps those behind it waiting until it has its answer.
    for (const wait of held) await wait();
    return result;
  };
}

/** How often the connection to a server was lost; '' names the one where there is no Cluster. */
function countLosses(redis: Redis): (server: string) => number {
  const counts = new Map<string, number>();
  const lose = (server: string) => void counts.set(server, (counts.get(server) ?? 0) + 1);
  redis.on('close', () => lose(''));
  // A Cluster client lets go of a server whose connection has closed.
  redis.on('-node', ({ options: { host, port } }: Redis) => lose(`${host}:${port}`));
  return (server) => counts.get(server) ?? 0;
}
