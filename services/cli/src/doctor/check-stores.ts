import { SECOND_MS } from '@sluice/contract/time/durations';
import { readReplicas } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { connectToRedis } from '../connect-redis.ts';
import { withReleases } from '../connecting.ts';
import { checkMongo } from './check-mongo.ts';
import { checkRedis } from './check-redis.ts';
import { type Finding, problem, skipped } from './finding.ts';
import { judgeProcesses } from './judge-processes.ts';

export interface NamedStores {
  readonly redisUrl: string | undefined;
  readonly mongoUrl: string | undefined;
  readonly namespace: string;
}

/** Checks the stores that are named, and the processes that report themselves in Redis. */
export async function checkStores({
  redisUrl,
  mongoUrl,
  namespace,
}: NamedStores): Promise<readonly Finding[]> {
  return Promise.all([
    redisUrl === undefined
      ? skipped('Redis', 'none is named', 'Set REDIS_URL, if you operate Sluice.')
      : checkRedis(redisUrl, namespace),
    mongoUrl === undefined
      ? skipped('MongoDB', 'none is named', 'Set MONGO_URL, if you operate Sluice.')
      : checkMongo(mongoUrl, namespace),
    ...(redisUrl === undefined ? [] : [checkProcesses(redisUrl, namespace)]),
  ]);
}

async function checkProcesses(redisUrl: string, namespace: string): Promise<Finding> {
  return withReleases(async (onClose) => {
    const redis = await connectToRedis(redisUrl, onClose);
    // By the clock of Redis: a report that this machine's clock makes too old would be removed.
    const [seconds = 0] = await redis.time();
    const now = Number(seconds) * SECOND_MS;
    return judgeProcesses(await readReplicas({ redis, keyspace: createKeyspace(namespace) }, now), now);
  }).catch((error: Error) =>
    problem('processes', `they could not be read: ${error.message}`, 'They report themselves in Redis.'),
  );
}
