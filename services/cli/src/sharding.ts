import { loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { readShardCount } from '@sluice/shards/shard-count';
import type { Redis } from 'ioredis';
import { failed, tryAgainLater } from './exit-codes.ts';

export interface Sharding {
  /** Shards that accounts are spread over: what is noted in Redis goes before the environment. */
  readonly count: number;
  /** Redis replicas that must hold a change before it is confirmed. */
  readonly replicas: number;
}

/** How accounts are spread over Redis. Throws where the environment cannot be read, and while that is being changed. */
export async function readSharding(
  redis: Redis,
  namespace: string,
  env: NodeJS.ProcessEnv,
): Promise<Sharding> {
  const configured = configuredSharding(env);
  const noted = await readShardCount(redis, namespace);
  if (noted.status === 'moving')
    throw tryAgainLater('Accounts are being moved between shards. Run "sluice shards set" to its end first.');
  return noted.status === 'noted' ? { ...configured, count: noted.count } : configured;
}

/** What the environment says of it, whatever is noted in Redis. Throws where it cannot be read. */
export function configuredSharding(env: NodeJS.ProcessEnv): Sharding {
  const { QUEUE_SHARDS, REDIS_WAIT_REPLICAS } = variables;
  const loaded = loadConfig({ QUEUE_SHARDS, REDIS_WAIT_REPLICAS }, env);
  if (!loaded.ok)
    throw failed(loaded.problems.map(({ variable, detail }) => `${variable}: ${detail}`).join('; '));
  return { count: loaded.config.QUEUE_SHARDS, replicas: loaded.config.REDIS_WAIT_REPLICAS };
}
