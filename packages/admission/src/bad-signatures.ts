import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import { repliesOf } from '@sluice/redis/replies-of';
import type { Redis } from 'ioredis';

/** Counts a wrong signature of a client address. Resolves to whether the address is over its limit in this minute. Rejects without Redis. */
export type CountBadSignature = (address: string, nowMs: number) => Promise<boolean>;

const LIFE_SECONDS = 120;

/**
 * Counts bad signatures for several shards; with one shard the admission script counts them. An address may send to sources
 * of any shard, and has one limit over all of them (`BAD_SIGNATURES_PER_MINUTE`). So they are counted in one place, `keyspace`.
 */
export function createCountBadSignature({
  redis,
  keyspace,
  perMinute,
}: {
  redis: Redis;
  keyspace: Keyspace;
  perMinute: number;
}): CountBadSignature {
  return async (address, nowMs) => {
    const key = keyspace.badSignatures(address, Math.floor(nowMs / MINUTE_MS));
    const [count] = await repliesOf(redis.pipeline().incr(key).expire(key, LIFE_SECONDS));
    return (count as number) > perMinute;
  };
}
