import type { Redis } from 'ioredis';
import { claimKey, type EndClaim } from '../claim.ts';
import { createKeyspace } from '../keyspace.ts';
import { withScripts } from '../with-scripts.ts';

/** Whether this process and Redis agree on the number of shards. */
export type ShardCount =
  | { readonly status: 'agreed' }
  /** Accounts are in other shards than this process expects. */
  | { readonly status: 'differs'; readonly stored: number }
  /** `sluice shards set` is moving accounts now, or was stopped half way. */
  | { readonly status: 'moving' };

/** Replaces the count while accounts are moved. The number of shards with accounts follows it. */
const MOVING = 'moving';

// KEYS[1] the count  KEYS[2] a key of every earlier start with one shard   ARGV[1] the configured count
// Returns the valid count: the stored one, else 1 if Redis was in use before counts were stored, else the configured one.
const AGREE = `
local stored = redis.call('GET', KEYS[1])
if stored then return stored end
if redis.call('EXISTS', KEYS[2]) == 1 then stored = '1' else stored = ARGV[1] end
redis.call('SET', KEYS[1], stored)
return stored
`;

interface AgreeCommand {
  sluiceAgree(countKey: string, usedKey: string, wanted: number): Promise<string>;
}

/**
 * The first process stores the number of shards in Redis. Processes with different numbers would admit requests of one source
 * by two different states, past each other's fences. So a process with another number must stop.
 */
export function createShardCount({
  redis,
  namespace,
  count,
}: {
  redis: Redis;
  namespace: string;
  count: number;
}): () => Promise<ShardCount> {
  const first = createKeyspace(namespace);
  const command = withScripts<AgreeCommand>(redis, { sluiceAgree: { lua: AGREE, keys: 2 } });
  return async () => {
    const stored = await command.sluiceAgree(first.shardCount, `${first.prefix}:actions:meta`, count);
    if (stored.startsWith(MOVING)) return { status: 'moving' };
    return Number(stored) === count ? { status: 'agreed' } : { status: 'differs', stored: Number(stored) };
  };
}

export type NotedShards =
  | { readonly status: 'none' }
  | { readonly status: 'noted'; readonly count: number }
  /** Accounts are being moved. Until the end they may be in any of the first `within` shards. */
  | { readonly status: 'moving'; readonly within: number };

export async function readShardCount(redis: Redis, namespace: string): Promise<NotedShards> {
  const stored = await redis.get(createKeyspace(namespace).shardCount);
  if (stored === null) return { status: 'none' };
  const [word, within] = stored.split(' ');
  return word === MOVING
    ? { status: 'moving', within: Number(within) }
    : { status: 'noted', count: Number(stored) };
}

export async function noteShardCount(
  redis: Redis,
  namespace: string,
  noted: Exclude<NotedShards, { status: 'none' }>,
): Promise<void> {
  const text = noted.status === 'moving' ? `${MOVING} ${noted.within}` : String(noted.count);
  await redis.set(createKeyspace(namespace).shardCount, text);
}

/**
 * Claims the change of the number of shards while this process runs. Two changes at once would move the same accounts back and
 * forth. Resolves to a function that ends the claim, or to undefined if another process has it.
 */
export function claimShardChange(redis: Redis, namespace: string): Promise<EndClaim | undefined> {
  return claimKey(redis, createKeyspace(namespace).shardChange);
}

/** Explains the disagreement in the log, with the next step. */
export function explainShardCount(found: Exclude<ShardCount, { status: 'agreed' }>, count: number): string {
  const how = 'docs/scaling.md says how the number of shards is changed';
  return found.status === 'moving'
    ? `Accounts are being moved between shards. Run "sluice shards set N" once more until it says that it is done; ${how}.`
    : `QUEUE_SHARDS is ${count} here, but what is in Redis is spread over ${found.stored}. Set QUEUE_SHARDS=${found.stored}; ${how}.`;
}
