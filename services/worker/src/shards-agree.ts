import { setTimeout as pause } from 'node:timers/promises';
import { refuseToStart } from '@sluice/runtime/process/refuse-to-start';
import type { Releasers } from '@sluice/runtime/process/releasers';
import { isReadOnly, refusalIn } from '@sluice/runtime/redis/redis-refusal';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { createShardCount, explainShardCount } from '@sluice/shards/shard-count';
import type { WorkerConfig } from './config.ts';
import type { Resources } from './resources.ts';

export interface ShardsAgreeDeps {
  readonly config: Pick<WorkerConfig, 'SLUICE_NAMESPACE' | 'QUEUE_SHARDS'>;
  readonly logger: Logger;
  readonly releasers: Releasers;
  readonly resources: Pick<Resources, 'redis'>;
}

/**
 * Continues only if the shard count in Redis equals this worker's. Checked before the worker takes groups, because a
 * worker with fewer shards would leave groups unprocessed.
 */
export async function expectShardsAgree({
  config,
  logger,
  releasers,
  resources,
}: ShardsAgreeDeps): Promise<void> {
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const shardCount = createShardCount({ redis: resources.redis, namespace, count });
  // The first command to Redis. A user without permission for it has none for the worker's other commands.
  const found = await onceWritable(shardCount).catch(async (error: Error) => {
    const refusal = refusalIn(error.message);
    if (refusal === undefined) throw error;
    const { said: reason, advice } = refusal;
    const event = { event: 'redis.refuses', reason, advice };
    return refuseToStart({ logger, releasers }, event, 'Redis refuses the connection of this worker');
  });
  if (found.status === 'agreed') return;
  const fields = { event: 'shards.refused', ...found };
  await refuseToStart({ logger, releasers }, fields, explainShardCount(found, count));
}

const ASK_AGAIN_MS = 500;

/** Retries while Redis is a read-only replica: its address may soon lead to the new primary. The connection logs it. */
async function onceWritable<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isReadOnly((error as Error).message)) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}
