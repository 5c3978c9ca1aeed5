import type { Service, ServiceConfig } from '@sluice/runtime/process/start-service';
import { observeClock } from '@sluice/runtime/telemetry/store-metrics';
import type { Redis } from 'ioredis';
import type { RedisRole } from './connection-options.ts';
import { connectRedis } from './redis-connection.ts';

/**
 * Connects a service to its REDIS_URL in the background, measures the clock against this Redis, and disconnects when the
 * service stops. `name` is shown by CLIENT LIST.
 */
export function connectForService(
  {
    config,
    logger,
    metrics,
    releasers,
  }: Pick<Service<ServiceConfig>, 'config' | 'logger' | 'metrics' | 'releasers'>,
  settings: { readonly name: string; readonly role: RedisRole },
): Redis {
  const redis = connectRedis({ ...settings, url: config.REDIS_URL, logger });
  releasers.push('redis', () => redis.disconnect());
  observeClock({ metrics, redis });
  return redis;
}
