import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { memoryForDocuments } from '@sluice/machine/memory';
import { checkGivenMongo } from './given-mongo.ts';
import { type LaunchContext, LaunchError } from './launch-context.ts';
import { acceptsConnections } from './port-check.ts';
import { onPath } from './redis-binary.ts';
import { mainOf } from './spawners.ts';
import { anyPort, type StoreSpec, startStore } from './store-process.ts';

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

export interface MongoSettings {
  /** mongod on the PATH. Undefined if there is none; then the embedded store replaces it. */
  readonly mongod: string | undefined;
  readonly embeddedMain: string;
  readonly port: number;
  readonly dataDir: string;
}

/** The MongoDB that `npm start` runs: mongod, or the embedded store. Each has a separate data folder. */
export function mongoSpec({ mongod, embeddedMain, port, dataDir }: MongoSettings): StoreSpec {
  const dir = join(dataDir, mongod === undefined ? 'mongodb' : 'mongod');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const run =
    mongod === undefined
      ? {
          command: process.execPath,
          args: [...embeddedMemory(), embeddedMain, '--port', String(port), '--data-dir', dir],
        }
      : { command: mongod, args: ['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', dir] };
  return {
    name: 'mongodb',
    url: `mongodb://127.0.0.1:${port}`,
    ...run,
    // Both listen only after they have read their journal.
    ready: (signal) => acceptsConnections(port, signal),
  };
}

/** The heap contains all documents. The store rejects writes when it is full. */
function embeddedMemory(): string[] {
  return [`--max-old-space-size=${Math.floor(memoryForDocuments() / 1024 / 1024)}`];
}
