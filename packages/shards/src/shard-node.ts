import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { repliesOf } from './replies-of.ts';

/**
 * Commands that name no key, asked of the server that holds a shard. A Cluster client sends such a command to any node
 * it likes; in a pipeline behind one with a key it goes along with that, on the connection that its writes take.
 */
export interface ShardNode {
  /** `INFO memory replication`. */
  info(): Promise<string>;
  /** `CONFIG GET` of these names; empty where the server does not tell. */
  settings(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** How many replicas hold all that this process has written to the shard by now. */
  wait(replicas: number, timeoutMs: number): Promise<number>;
}

export function createShardNode(redis: Redis, keyspace: Keyspace): ShardNode {
  // `EXISTS` is only there for its key.
  const ask = () => redis.pipeline().exists(keyspace.shardCount);
  return {
    async info() {
      const [, info] = await repliesOf(ask().info('memory', 'replication'));
      return info as string;
    },
    async settings(names) {
      // A server that forbids or has renamed the command says so in this reply.
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
