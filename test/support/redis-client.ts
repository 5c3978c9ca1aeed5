import { Redis } from 'ioredis';
import { sharedRedisUrl } from './shared-redis.ts';
import { use } from './use.ts';

/** A client of Redis, which waits for a Redis that is away. */
export function patientRedis(url: string, connectionName?: string): Redis {
  const named = connectionName === undefined ? {} : { connectionName };
  const redis = new Redis(url, { ...named, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  return redis;
}

/** The same for the tests of a describe block. Default: of the Redis of this run. */
export function useRedisClient(url: () => string = sharedRedisUrl): Redis {
  return use(
    async () => patientRedis(url()),
    (redis) => redis.disconnect(),
  );
}
