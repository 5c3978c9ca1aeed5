import type { Redis } from 'ioredis';
import { createShardCount, explainShardCount, type ShardCount } from './shard-count.ts';

export interface ShardCheckSettings {
  readonly redis: Redis;
  readonly namespace: string;
  /** QUEUE_SHARDS. */
  readonly count: number;
}

/** Why a process must stop, as its last log line. */
export interface ShardRefusal {
  readonly fields: { readonly event: 'shards.refused' } & Exclude<ShardCount, { status: 'agreed' }>;
  /** Says how to fix it. */
  readonly message: string;
}

/** Compares QUEUE_SHARDS with the number in Redis; undefined: they agree. Rejects when Redis does not answer. */
export function createShardCheck(settings: ShardCheckSettings): () => Promise<ShardRefusal | undefined> {
  const look = createShardCount(settings);
  return async () => {
    const found = await look();
    if (found.status === 'agreed') return undefined;
    return {
      fields: { event: 'shards.refused', ...found },
      message: explainShardCount(found, settings.count),
    };
  };
}
