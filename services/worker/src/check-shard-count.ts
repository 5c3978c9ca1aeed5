import { setTimeout as sleep } from 'node:timers/promises';
import { isReadOnly, refusalIn } from '@sluice/redis/connection/redis-refusal';
import { createShardCheck } from '@sluice/redis/shards/shard-check';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { WorkerConfig } from './config.ts';
import type { Resources } from './resources.ts';

export interface CheckShardCountDeps {
  readonly config: Pick<WorkerConfig, 'SLUICE_NAMESPACE' | 'QUEUE_SHARDS'>;
  readonly resources: Pick<Resources, 'redis'>;
  readonly refuse: Refuse;
}

/**
 * Ends the process unless Redis has as many shards as this worker serves. Call it before the first job: a worker with fewer
 * shards would leave groups unprocessed.
 */
export async function checkShardCount({ config, resources, refuse }: CheckShardCountDeps): Promise<void> {
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const check = createShardCheck({ redis: resources.redis, namespace, count });
  // The first command to Redis: a user without this permission may do nothing that a worker does.
  const found = await onceWritable(check).catch(async (error: Error) => {
    const refusal = refusalIn(error.message);
    if (refusal === undefined) throw error;
    const { said: reason, advice } = refusal;
    return refuse({ event: 'redis.refuses', reason, advice }, 'Redis refuses this worker');
  });
  if (found !== undefined) await refuse(found.fields, found.message);
}

const ASK_AGAIN_MS = 500;

/** Waits while Redis is a replica: its address may soon lead to the new primary. The connection logs the state. */
async function onceWritable<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isReadOnly((error as Error).message)) throw error;
      await sleep(ASK_AGAIN_MS);
    }
  }
}
