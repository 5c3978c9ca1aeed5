import { createShardCheck } from '@sluice/redis/shards/shard-check';
import type { Redis } from 'ioredis';
import type { IngressConfig } from '../config.ts';

export interface ShardsAllowedDeps {
  readonly redis: Redis;
  readonly config: Pick<IngressConfig, 'SLUICE_NAMESPACE' | 'QUEUE_SHARDS'>;
  /** Called once, with the fields and the message of a log line. */
  readonly onRefused: (fields: object, message: string) => unknown;
}

/**
 * Rejects if accounts are in other shards than this process expects, which keeps its gates closed. The check runs with every
 * poll of Redis, because an operator may move accounts while a process still runs.
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
    // Shard 0 stores the number and may be away while other shards respond. Then the last agreement counts.
    if (agreed) looking.catch(() => undefined);
    else await looking;
    if (refused !== undefined) throw refused;
  };
}
