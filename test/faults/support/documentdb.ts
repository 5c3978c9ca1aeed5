import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** A MongoDB-compatible engine for one test: PostgreSQL with the gateway that speaks MongoDB's protocol. */
export interface DocumentDb {
  readonly url: string;
  readonly postgres: Pick<Postgres, 'setting' | 'activity'>;
  /** Each resolves once the engine works again. */
  killGateway(): Promise<void>;
  killBackend(random: () => number): Promise<void>;
  killPostmaster(): Promise<void>;
  /** Ends both and deletes the data. */
  stop(): Promise<void>;
}

/** The folder into which ../shared/mongodb/up installs the engine. Instances of other tests there are not touched. */
const ROOT = process.env.DOCUMENTDB_ROOT ?? '/var/tmp/documentdb';
const WORKS_WITHIN_MS = 60_000;

/** The reason why no instance can be started here; undefined if one can. */
export function whyNoDocumentDb(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may run PostgreSQL in a separate folder';
  if (!existsSync(join(ROOT, '.ready')) || !existsSync(join(ROOT, 'gateway/node_modules/pg')))
    return `there is no DocumentDB in ${ROOT} (DOCUMENTDB_ROOT)`;
  return undefined;
}

export async function startDocumentDb(): Promise<DocumentDb> {
  const postgres = await startPostgres(ROOT);
  const gateway = await startGateway(postgres.url);

  /** The gateway answers a ping without PostgreSQL. A read reaches the data. */
  async function works(): Promise<void> {
    const settings = { serverSelectionTimeoutMS: 1000, socketTimeoutMS: 5000 };
    const reads = async () => {
      const client = new mongo.MongoClient(gateway.url, settings);
      const read = client.db('works').collection('nothing').countDocuments();
      const answered = read.then(
        () => true,
        () => false,
      );
      return answered.finally(() => client.close());
    };
    await until(reads, { what: 'DocumentDB works again', withinMs: WORKS_WITHIN_MS });
  }

  async function stop(): Promise<void> {
    await gateway.stop();
    await postgres.stop();
  }

  await works().catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    url: gateway.url,
    postgres,
    async killGateway() {
      await gateway.kill();
      await works();
    },
    async killBackend(random) {
      await postgres.killBackend(random);
      await works();
    },
    async killPostmaster() {
      await postgres.killPostmaster();
      await works();
    },
    stop,
  };
}

interface Gateway {
  readonly url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Restarts it whenever it ends, as an init system would. It also ends when PostgreSQL breaks an idle connection. */
async function startGateway(postgresUrl: string): Promise<Gateway> {
  const port = await freePort();
  let child: ChildProcess;
  let stopping = false;

  function start(): void {
    child = spawn(process.execPath, ['gateway.mjs'], {
      cwd: join(ROOT, 'gateway'),
      env: { PATH: process.env.PATH ?? '', PORT: `${port}`, PG_URL: postgresUrl },
      stdio: 'ignore',
    });
    child.once('exit', () => {
      if (!stopping) start();
    });
  }

  async function kill(): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  start();
  return {
    url: `mongodb://127.0.0.1:${port}`,
    kill,
    async stop() {
      stopping = true;
      await kill();
    },
  };
}
