import { crc32 } from 'node:zlib';
import { createKeyspace, type Keyspace } from './keyspace.ts';

/**
 * The shards that the accounts of an installation are spread over. All that the admission script touches of an account
 * (its sources and its plan's use) is in one shard, because a script can only touch keys of one slot, and the plan's
 * limit must be exact over all of an account's sources.
 */
export interface Shards {
  readonly count: number;
  readonly all: readonly Keyspace[];
  /** Shard 0: whatever belongs to no account in particular, or is not touched by the admission script. */
  readonly first: Keyspace;
  /** Number of the shard that an account lives in. */
  indexOf(accountId: string): number;
  of(accountId: string): Keyspace;
}

/**
 * The shard of an account is the CRC-32 (as in zlib) of its id's UTF-8 bytes modulo the number of shards. What is in
 * Redis lies where this puts it: a change of the formula is a move of all accounts.
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
