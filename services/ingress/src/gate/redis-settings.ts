import type { Shards } from '@sluice/redis/shards/shards';
import {
  explainWeakness,
  readWeaknesses,
  WATCHED_SETTINGS,
  type Weakness,
} from '@sluice/redis/weak-settings';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { INGRESS_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { Redis } from 'ioredis';
import { wrongEvictionPolicy } from './redis-vitals.ts';

export interface SettingsWatchDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'gauge'>;
}

/**
 * Returns a look at the settings of every shard's server. It logs a setting once when it is wrong, and reports all of them. A
 * server that is away is read at the next call.
 */
export function createSettingsWatch({
  redis,
  shards,
  logger,
  metrics,
}: SettingsWatchDeps): () => Promise<void> {
  const gauge = metrics.gauge(INGRESS_METRICS.sluice_redis_setting_wrong);
  let wrong: ReadonlySet<string> = new Set();
  const look = async () => {
    const found = new Map<string, Weakness>();
    for (const keyspace of shards.all)
      for (const weakness of await readWeaknesses(redis, keyspace)) found.set(weakness.setting, weakness);
    for (const setting of WATCHED_SETTINGS) gauge.set({ setting }, Number(found.has(setting)));
    for (const weakness of found.values())
      if (!wrong.has(weakness.setting))
        logger.warn(
          { event: 'redis.weak', setting: weakness.setting, value: weakness.value },
          explainWeakness(weakness),
        );
    wrong = new Set(found.keys());
  };
  return () => look().catch(() => {});
}

export interface RefuseEvictionDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly refuse: Refuse;
}

/** Returns a check that ends the process if Redis evicts keys, because it would lose accepted actions. */
export function createRefuseEviction({ redis, shards, refuse }: RefuseEvictionDeps): () => Promise<void> {
  return async () => {
    const policy = await wrongEvictionPolicy(redis, shards).catch(() => null);
    if (policy === null) return;
    const mend = 'redis-cli CONFIG SET maxmemory-policy noeviction';
    await refuse(
      { event: 'redis.evicts', policy },
      `Redis may evict accepted actions (maxmemory-policy ${policy}). Mend it with: ${mend}`,
    );
  };
}
