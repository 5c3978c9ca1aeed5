import { readShardCount } from '@sluice/redis/shards/shard-count';
import { loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import type { Redis } from 'ioredis';
import { failed, tryAgainLater } from './exit-codes.ts';

export interface Sharding {
  /** Number of shards. The value recorded in Redis takes precedence over the environment. */
  readonly count: number;
  /** Redis replicas that must have a change before it is confirmed. */
  readonly replicas: number;
}

/** Reads how accounts are distributed over Redis. Throws if the environment is invalid, or during a change of shards. */
export async function readSharding(
  redis: Redis,
  namespace: string,
  env: NodeJS.ProcessEnv,
): Promise<Sharding> {
  const configured = configuredSharding(env);
  const noted = await readShardCount(redis, namespace);
  if (noted.status === 'moving')
    throw tryAgainLater('Accounts are being moved between shards. First let "sluice shards set" finish.');
  return noted.status === 'noted' ? { ...configured, count: noted.count } : configured;
}

/** The sharding settings of the environment, without the value in Redis. Throws if they are invalid. */
export function configuredSharding(env: NodeJS.ProcessEnv): Sharding {
  const { QUEUE_SHARDS, REDIS_WAIT_REPLICAS } = variables;
  const loaded = loadConfig({ QUEUE_SHARDS, REDIS_WAIT_REPLICAS }, env);
  if (!loaded.ok)
    throw failed(loaded.problems.map(({ variable, detail }) => `${variable}: ${detail}`).join('; '));
  return { count: loaded.config.QUEUE_SHARDS, replicas: loaded.config.REDIS_WAIT_REPLICAS };
}
