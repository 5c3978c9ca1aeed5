import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { memoryOfMachine } from '@sluice/machine/memory';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { checkGivenRedis } from './given-redis.ts';
import { type LaunchContext, LaunchError } from './launch-context.ts';
import { acceptsConnections } from './port-check.ts';
import { provideRedisBinary } from './redis-binary.ts';
import { anyPort, type StoreSpec, startStore } from './store-process.ts';

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

/** The Redis that `npm start` runs. It loses nothing acknowledged and evicts nothing. */
export function redisSpec({
  binary,
  port,
  dataDir,
  logger,
}: {
  binary: string;
  port: number;
  dataDir: string;
  logger: Logger;
}): StoreSpec {
  const dir = join(dataDir, 'redis');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const url = `redis://127.0.0.1:${port}`;
  const options = {
    bind: '127.0.0.1',
    port: String(port),
    dir,
    appendonly: 'yes',
    // One fsync serves a whole group of requests, so this costs far less than one for each request.
    appendfsync: 'always',
    // Every fsync waits for the disk while Redis rewrites the file. From the default of 64 MiB on, that would happen every
    // few seconds under load. Redis reads 512 MiB in about a second when it starts.
    'auto-aof-rewrite-min-size': '512mb',
    save: '',
    'maxmemory-policy': 'noeviction',
    // Redis must reject writes before the kernel kills it.
    maxmemory: String(Math.floor(memoryOfMachine() / 2)),
  };
  return {
    name: 'redis',
    url,
    command: binary,
    args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ready: async (signal) => {
      await acceptsConnections(port, signal);
      // Redis accepts connections before it has loaded its data.
      await answersPing(url, logger, signal);
    },
  };
}

async function answersPing(url: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const redis = connectRedis({ url, name: 'launcher', role: 'worker', logger });
  const stop = () => redis.disconnect();
  signal.addEventListener('abort', stop);
  try {
    await redis.ping();
  } finally {
    signal.removeEventListener('abort', stop);
    redis.disconnect();
  }
}
