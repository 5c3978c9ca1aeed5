import { crc32 } from 'node:zlib';
import { createKeyspace, type Keyspace } from '../keyspace.ts';

/**
 * The shards of an installation's accounts. All keys of an account that the admission script uses (its sources and its plan's
 * use) are in one shard. A script can only use keys of one slot, and the plan's limit must be exact over all sources.
 */
export interface Shards {
  readonly count: number;
  readonly all: readonly Keyspace[];
  /** Shard 0. It has all keys without an account, and all keys that the admission script does not use. */
  readonly first: Keyspace;
  /** The number of an account's shard. */
  indexOf(accountId: string): number;
  of(accountId: string): Keyspace;
}

/**
 * The shard of an account is the CRC-32 (as in zlib) of its id's UTF-8 bytes modulo the number of shards. A change of the
 * formula would have to move all accounts in Redis.
 */
export function shardOf(id: string, count: number): number {
  return count === 1 ? 0 : crc32(id) % count;
}

/** Names the keys of every shard of one installation (`namespace`). */
export function createShards(namespace: string, count: number): Shards {
  const all = Array.from({ length: count }, (_, shard) => createKeyspace(namespace, shard));
  const indexOf = (id: string) => shardOf(id, count);
  return {
    count,
    all,
    first: all[0] as Keyspace,
    indexOf,
    of: (id) => all[indexOf(id)] as Keyspace,
  };
}
