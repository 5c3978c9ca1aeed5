import { checkGivenRedis } from './given-redis.ts';
import type { LaunchContext } from './launch-context.ts';
import { LaunchError } from './launch-error.ts';
import { provideRedisBinary } from './redis-binary.ts';
import { redisSpec } from './redis-store.ts';
import { anyPort, startStore } from './start-store.ts';

/** Uses the Redis of REDIS_URL, or starts one. Resolves to its URL once it answers. */
export async function startRedis(context: LaunchContext): Promise<string> {
  const { config, output, logger } = context;
  if (config.REDIS_URL !== undefined) {
    const given = await checkGivenRedis({ url: config.REDIS_URL, logger });
    if (!given.ok) throw new LaunchError(given.detail);
    return config.REDIS_URL;
  }
  const binary = await provideRedisBinary({ say: output.say });
  if (!binary.ok) throw new LaunchError(binary.detail);
  const port = await anyPort();
  return startStore(context, redisSpec({ binary: binary.path, port, dataDir: config.DATA_DIR, logger }));
}
