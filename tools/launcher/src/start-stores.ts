import { checkGivenMongo } from './given-mongo.ts';
import { checkGivenRedis } from './given-redis.ts';
import type { LaunchContext } from './launch-context.ts';
import { LaunchError } from './launch-error.ts';
import { mongoSpec } from './mongo-store.ts';
import { mainOf } from './paths.ts';
import { claimablePort } from './port-check.ts';
import { onPath, provideRedisBinary } from './redis-binary.ts';
import { redisSpec } from './redis-store.ts';
import { createStoreProcess, type StoreSpec } from './store-process.ts';

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

/** Uses the MongoDB of MONGO_URL, or starts one. Resolves to its URL once it answers. */
export async function startMongo(context: LaunchContext): Promise<string> {
  const { config, output } = context;
  if (config.MONGO_URL !== undefined) {
    const given = await checkGivenMongo({ url: config.MONGO_URL, namespace: config.SLUICE_NAMESPACE });
    if (!given.ok) throw new LaunchError(given.detail);
    return config.MONGO_URL;
  }
  const mongod = await onPath(['mongod'], process.env.PATH ?? '');
  if (mongod === undefined) output.say('no mongod on PATH: using the embedded development store');
  const embeddedMain = mainOf('tools/embedded-mongodb');
  const port = await anyPort();
  return startStore(context, mongoSpec({ mongod, embeddedMain, port, dataDir: config.DATA_DIR }));
}

const anyPort = () => claimablePort({ port: 0, host: '127.0.0.1', variable: '' });

async function startStore(context: LaunchContext, spec: StoreSpec): Promise<string> {
  const { config, output, releasers, killers, unlessStopping } = context;
  unlessStopping();
  const store = createStoreProcess({ spec, dataDir: config.DATA_DIR, say: output.say });
  releasers.push(spec.name, store.stop, { deadlineMs: STORE_STOP_MS });
  killers.push(store.kill);
  await store.start();
  return spec.url;
}

/** A store has 10 s before it is killed. The rest is time to wait for its end. */
const STORE_STOP_MS = 15_000;
