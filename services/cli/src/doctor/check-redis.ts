import { refusalIn } from '@sluice/redis/connection/redis-refusal';
import { createKeyspace } from '@sluice/redis/keyspace';
import { explainWeakness, readWeaknesses, type Weakness } from '@sluice/redis/weak-settings';
import type { Redis } from 'ioredis';
import { connectToRedis } from '../connect-redis.ts';
import { withReleases } from '../connecting.ts';
import { type Finding, ok, problem } from './finding.ts';

/** The value disappears, also if this command ends between the two. */
const KEEP_SECONDS = 60;

/** Writes and deletes one key, and reads the settings that risk accepted actions. */
export async function checkRedis(url: string, namespace: string): Promise<Finding> {
  const began = performance.now();
  try {
    return await withReleases(async (onClose) => {
      const redis = await connectToRedis(url, onClose);
      const keyspace = createKeyspace(namespace);
      await proveWrites(redis, keyspace.doctor);
      const took = `it took a write within ${Math.round(performance.now() - began)} ms`;
      return judgeSettings(await readWeaknesses(redis, keyspace), took);
    });
  } catch (error) {
    const { message } = error as Error;
    return problem('Redis', message, refusalIn(message)?.advice ?? 'Check REDIS_URL and the server.');
  }
}

async function proveWrites(redis: Redis, key: string): Promise<void> {
  await redis.set(key, '1', 'EX', KEEP_SECONDS);
  await redis.del(key);
}

function judgeSettings(weaknesses: readonly Weakness[], took: string): Finding {
  if (weaknesses.length === 0) return ok('Redis', took);
  const explained = weaknesses.map(explainWeakness).join(' ');
  const evicts = weaknesses.some(({ setting }) => setting === 'maxmemory-policy');
  const mend = 'Run the command that is named for each setting.';
  return evicts ? problem('Redis', explained, mend) : ok('Redis', `${took}. ${explained}`, mend);
}
