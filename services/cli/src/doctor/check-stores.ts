import { connectToMongo } from '../connect-mongo.ts';
import { connectToRedis } from '../connect-redis.ts';
import { type Finding, ok, problem, skipped } from './finding.ts';

export interface NamedStores {
  readonly redisUrl: string | undefined;
  readonly mongoUrl: string | undefined;
  readonly namespace: string;
}

/** Checks the stores that are named. */
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
  ]);
}

type Connect = (onClose: (release: () => unknown) => void) => Promise<unknown>;

async function check(name: 'Redis' | 'MongoDB', connect: Connect): Promise<Finding> {
  const releases: (() => unknown)[] = [];
  const began = performance.now();
  try {
    await connect((release) => void releases.push(release));
    return ok(name, `it responded within ${Math.round(performance.now() - began)} ms`);
  } catch (error) {
    return problem(
      name,
      (error as Error).message,
      `Check ${name === 'Redis' ? 'REDIS_URL' : 'MONGO_URL'} and the server.`,
    );
  } finally {
    for (const release of releases.reverse()) await release();
  }
}
