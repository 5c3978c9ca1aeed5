import { readReplicas } from '@sluice/activity/replicas';
import { SECOND_MS } from '@sluice/contract/durations';
import { createKeyspace } from '@sluice/shards/keyspace';
import { connectToMongo } from '../connect-mongo.ts';
import { connectToRedis } from '../connect-redis.ts';
import { type OnClose, withReleases } from '../connecting.ts';
import { type Finding, ok, problem, skipped } from './finding.ts';
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
      : check('Redis', (onClose) => connectToRedis(redisUrl, onClose).then((one) => one.ping())),
    mongoUrl === undefined
      ? skipped('MongoDB', 'none is named', 'Set MONGO_URL, if you operate Sluice.')
      : check('MongoDB', (onClose) =>
          connectToMongo({ url: mongoUrl, namespace }, onClose).then((one) => one.ping()),
        ),
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

async function check(
  name: 'Redis' | 'MongoDB',
  connect: (onClose: OnClose) => Promise<unknown>,
): Promise<Finding> {
  const began = performance.now();
  try {
    await withReleases(connect);
    return ok(name, `it responded within ${Math.round(performance.now() - began)} ms`);
  } catch (error) {
    return problem(
      name,
      (error as Error).message,
      `Check ${name === 'Redis' ? 'REDIS_URL' : 'MONGO_URL'} and the server.`,
    );
  }
}
