import { connectToMongo } from '../connect-mongo.ts';
import { connectToRedis } from '../connect-redis.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Checks the stores that the environment names. */
export async function checkStores({
  REDIS_URL,
  MONGO_URL,
  SLUICE_NAMESPACE = 'sluice',
}: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const [redis, mongo] = await Promise.all([
    REDIS_URL
      ? check('Redis', (onClose) => connectToRedis(REDIS_URL, onClose).then((one) => one.ping()))
      : [],
    MONGO_URL
      ? check('MongoDB', (onClose) =>
          connectToMongo({ url: MONGO_URL, namespace: SLUICE_NAMESPACE }, onClose).then((one) => one.ping()),
        )
      : [],
  ]);
  return [...redis, ...mongo];
}

type Connect = (onClose: (release: () => unknown) => void) => Promise<unknown>;

async function check(name: 'Redis' | 'MongoDB', connect: Connect): Promise<readonly Finding[]> {
  const releases: (() => unknown)[] = [];
  const began = performance.now();
  try {
    await connect((release) => void releases.push(release));
    return [ok(name, `it responded within ${Math.round(performance.now() - began)} ms`)];
  } catch (error) {
    return [
      problem(
        name,
        (error as Error).message,
        `Check ${name === 'Redis' ? 'REDIS_URL' : 'MONGO_URL'} and the server.`,
      ),
    ];
  } finally {
    for (const release of releases.reverse()) await release();
  }
}
