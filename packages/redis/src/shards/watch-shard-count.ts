import type { Redis } from 'ioredis';
import { createShardCheck } from './shard-check.ts';

export interface ShardCountWatchDeps {
  readonly redis: Redis;
  readonly namespace: string;
  /** QUEUE_SHARDS. */
  readonly count: number;
  /** Ends the process with its last log line. */
  readonly refuse: (fields: object, message: string) => Promise<unknown>;
}

/** Accounts may be moved to other shards while a process that was believed to be stopped runs. */
const LOOK_AGAIN_MS = 1000;

/**
 * Ends the process when Redis uses another number of shards: it would fence sources, and publish changes, in shards
 * that nobody reads.
 */
export function watchShardCount({ redis, namespace, count, refuse }: ShardCountWatchDeps): {
  /** Throws unless the numbers agree now. */
  check(): Promise<void>;
  stop(): void;
} {
  const look = createShardCheck({ redis, namespace, count });

  async function refuseOthers(): Promise<void> {
    const found = await look().catch(() => undefined);
    if (found === undefined) return;
    clearInterval(timer);
    await refuse(found.fields, found.message);
  }
  const timer = setInterval(() => void refuseOthers(), LOOK_AGAIN_MS);

  return {
    async check() {
      const found = await look();
      if (found !== undefined) throw new Error(found.message);
    },
    stop: () => clearInterval(timer),
  };
}
