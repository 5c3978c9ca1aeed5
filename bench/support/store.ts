import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Db, MongoClient } from 'mongodb';
import { cpuSecondsLike, measured, orEnded, ROOT } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A separate database in a measured store. */
export interface BenchStore {
  /** The URL with the database in its path. */
  readonly url: string;
  readonly db: Db;
  /** Its process, if the bench started it. */
  readonly pid?: number;
  /** CPU time so far. Seconds. NaN if the store's processes are not known. */
  cpuSeconds(): Promise<number>;
  /** Drops the database, and stops the store if the bench started it. */
  stop(): Promise<void>;
}

export type StoreName = 'embedded' | 'given';

/** The embedded store, and the MongoDB of MONGO_URL if that is set. Only the latter if MONGO_ONLY is set too. */
export function storesAtHand(): StoreName[] {
  if (process.env.MONGO_URL === undefined) return ['embedded'];
  return process.env.MONGO_ONLY === undefined ? ['embedded', 'given'] : ['given'];
}

/** The name of a store in tables. MONGO_NAME names that of MONGO_URL. */
export function storeTitle(name: StoreName): string {
  return name === 'embedded' ? 'embedded store' : (process.env.MONGO_NAME ?? 'MONGO_URL');
}

/** `execArgv` is for the embedded store's Node, such as the size of its heap. */
export function startStore(name: StoreName, execArgv: readonly string[] = []): Promise<BenchStore> {
  return name === 'embedded' ? startEmbedded(execArgv) : openGiven(process.env.MONGO_URL as string);
}

/** The bundled embedded store as a separate process. */
async function startEmbedded(execArgv: readonly string[]): Promise<BenchStore> {
  const folder = await temporaryFolder();
  const main = join(ROOT, 'tools/embedded-mongodb/dist/main.js');
  const args = [...execArgv, main, '--port', '0', '--data-dir', folder.path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const running = measured(child, '');
  const lines = createInterface({ input: child.stdout });
  const first = orEnded('the embedded store', child, (signal) => once(lines, 'line', { signal }));
  const [text] = (await first) as [string];
  const { url } = JSON.parse(text) as { url: string };
  const opened = await openDatabase(url);
  return {
    ...running,
    ...opened,
    async stop() {
      await opened.close();
      await running.stop();
      await folder.stop();
    },
  };
}

/** `stored`: the name of a database that stays. Default: a new one, which `stop` drops. */
async function openGiven(url: string, stored?: string): Promise<BenchStore> {
  const opened = await openDatabase(url, stored);
  const pattern = process.env.MONGO_PROCESSES;
  return {
    ...opened,
    cpuSeconds: async () => (pattern === undefined ? Number.NaN : cpuSecondsLike(new RegExp(pattern))),
    async stop() {
      if (stored === undefined) await opened.db.dropDatabase();
      await opened.close();
    },
  };
}

/** A database of MONGO_URL that an earlier run has filled. It stays. */
export function openStored(name: string): Promise<BenchStore> {
  if (process.env.MONGO_URL === undefined) throw new Error('--database needs MONGO_URL');
  return openGiven(process.env.MONGO_URL, name);
}

async function openDatabase(url: string, name = `bench_${randomBytes(4).toString('hex')}`) {
  const client = new MongoClient(url);
  await client.connect();
  const withName = new URL(url);
  withName.pathname = `/${name}`;
  return { url: withName.href, db: client.db(name), close: () => client.close() };
}
