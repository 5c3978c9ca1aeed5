import { createShardCheck } from '@sluice/shards/shard-check';
import type { Redis } from 'ioredis';
import type { IngressConfig } from '../config.ts';

export interface ShardsAllowedDeps {
  readonly redis: Redis;
  readonly config: Pick<IngressConfig, 'SLUICE_NAMESPACE' | 'QUEUE_SHARDS'>;
  /** Told once: fields and message of a log line. */
  readonly onRefused: (fields: object, message: string) => unknown;
}

/**
 * Rejects where accounts lie elsewhere than this process would look for them, which keeps its gates closed. Looked at with
 * every look at Redis, and not at the start alone: accounts may be moved while a process that was taken for stopped runs.
 */
export function createShardsAllowed({ redis, config, onRefused }: ShardsAllowedDeps): () => Promise<void> {
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const look = createShardCheck({ redis, namespace, count });
  let refused: Error | undefined;
  let agreed = false;
  let looking: Promise<void> | undefined;

  const lookAgain = async (): Promise<void> => {
    const found = await look();
    agreed = true;
    if (found === undefined || refused !== undefined) return;
    refused = new Error(found.message);
    onRefused(found.fields, found.message);
  };

  return async () => {
    looking ??= lookAgain().finally(() => {
      looking = undefined;
    });
    // Shard 0, where the number is kept, may be away while others are there: what was agreed before holds.
    if (agreed) looking.catch(() => undefined);
    else await looking;
    if (refused !== undefined) throw refused;
  };
}
