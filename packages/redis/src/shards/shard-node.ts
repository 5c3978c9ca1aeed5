import type { Redis } from 'ioredis';
import type { Keyspace } from '../keyspace.ts';
import { repliesOf } from '../replies-of.ts';

/**
 * Commands without a key, for the server of a shard. A Cluster client sends such a command to any node. In a pipeline behind a
 * command with a key it goes to the same node, on the connection of its writes.
 */
export interface ShardNode {
  /** `INFO memory replication server`. */
  info(): Promise<string>;
  /** `CONFIG GET` of these names; empty if the server does not permit it. */
  settings(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The number of replicas that have all writes of this process to the shard. */
  wait(replicas: number, timeoutMs: number): Promise<number>;
}

export function createShardNode(redis: Redis, keyspace: Keyspace): ShardNode {
  // `EXISTS` only provides a key.
  const ask = () => redis.pipeline().exists(keyspace.shardCount);
  return {
    async info() {
      const [, info] = await repliesOf(ask().info('memory', 'replication', 'server'));
      return info as string;
    },
    async settings(names) {
      // The reply is an error if the server forbids the command or has renamed it.
      const [, reply] =
        (await ask()
          .call('CONFIG', 'GET', ...names)
          .exec()) ?? [];
      const [refused, said] = reply ?? [];
      const flat = refused === null ? (said as string[]) : [];
      return new Map(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] as string]] : [])));
    },
    async wait(replicas, timeoutMs) {
      const [, count] = await repliesOf(ask().wait(replicas, timeoutMs));
      return count as number;
    },
  };
}
