import { createShardCount, explainShardCount } from '@sluice/admission/shard-count';
import type { Resources } from './resources.ts';
import type { WorkerDeps } from './worker.ts';

/**
 * Whether what is in Redis is spread over as many shards as this worker serves. Asked before anything is taken, as a
 * worker that served fewer would leave groups lying.
 */
export async function shardsAgree({
  config,
  logger,
  resources,
  onRefused,
}: Pick<WorkerDeps, 'config' | 'logger' | 'onRefused'> & {
  readonly resources: Resources;
}): Promise<boolean> {
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const found = await createShardCount({ redis: resources.redis, namespace, count })();
  if (found.status === 'agreed') return true;
  const detail = explainShardCount(found, count);
  logger.fatal({ event: 'shards.refused', ...found }, detail);
  onRefused(detail);
  return false;
}
