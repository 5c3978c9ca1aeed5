import type { Shards } from '@sluice/redis/shards/shards';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Redis } from 'ioredis';
import { wrongEvictionPolicy } from './redis-vitals.ts';

export interface RefuseEvictionDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly refuse: Refuse;
}

/** Returns a check that ends the process if Redis evicts keys, because it would lose accepted actions. */
export function createRefuseEviction({ redis, shards, refuse }: RefuseEvictionDeps): () => Promise<void> {
  return async () => {
    const policy = await wrongEvictionPolicy(redis, shards).catch(() => null);
    if (policy === null) return;
    const mend = 'redis-cli CONFIG SET maxmemory-policy noeviction';
    await refuse(
      { event: 'redis.evicts', policy },
      `Redis may evict accepted actions (maxmemory-policy ${policy}). Mend it with: ${mend}`,
    );
  };
}
