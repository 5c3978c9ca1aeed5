import { createShardCount, explainShardCount } from '@sluice/admission/shard-count';
import { refuseToStart } from '@sluice/runtime/refuse-to-start';
import type { Resources } from './resources.ts';
import type { WorkerDeps } from './worker.ts';

/**
 * Goes on only where what is in Redis is spread over as many shards as this worker serves. Asked before anything is
 * taken, as a worker that served fewer would leave groups lying.
 */
export async function expectShardsAgree({
  config,
  logger,
  releasers,
  resources,
}: WorkerDeps & { readonly resources: Resources }): Promise<void> {
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const found = await createShardCount({ redis: resources.redis, namespace, count })();
  if (found.status === 'agreed') return;
  const fields = { event: 'shards.refused', ...found };
  await refuseToStart({ logger, releasers }, fields, explainShardCount(found, count));
}
