import { checkGivenMongo } from './given-mongo.ts';
import type { LaunchContext } from './launch-context.ts';
import { LaunchError } from './launch-error.ts';
import { mongoSpec } from './mongo-store.ts';
import { mainOf } from './paths.ts';
import { onPath } from './redis-binary.ts';
import { anyPort, startStore } from './start-store.ts';

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
