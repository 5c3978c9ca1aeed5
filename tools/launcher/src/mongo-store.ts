import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { memoryForDocuments } from '@sluice/machine/memory';
import { acceptsConnections } from './port-check.ts';
import type { StoreSpec } from './store-process.ts';

export interface MongoSettings {
  /** mongod on PATH; undefined where there is none: the embedded store takes its place. */
  readonly mongod: string | undefined;
  readonly embeddedMain: string;
  readonly port: number;
  readonly dataDir: string;
}

/** The MongoDB that `npm start` runs: mongod, or the embedded development store, each with data of its own. */
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
    // Both listen only once their journal is read.
    ready: (signal) => acceptsConnections(port, signal),
  };
}

/** The heap, in which all documents lie: the store keeps no more than it has room for. */
function embeddedMemory(): string[] {
  return [`--max-old-space-size=${Math.floor(memoryForDocuments() / 1024 / 1024)}`];
}
