import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);

/** PostgreSQL with the DocumentDB extension, on the data of one test. */
export interface Postgres {
  readonly url: string;
  /** The value of a setting, such as `fsync`. */
  setting(name: string): Promise<string>;
  /** The activity of each client, to explain a failure. */
  activity(): Promise<string>;
  /** SIGKILL of the process of one client. PostgreSQL then disconnects all others and recovers from its log. */
  killBackend(random: () => number): Promise<void>;
  /** SIGKILL of the parent of all its processes, then a restart on its data. */
  killPostmaster(): Promise<void>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

const READY = 'database system is ready to accept connections';
/** The remains of a killed instance keep its shared memory for a moment, so starting is repeated until it succeeds. */
const STAYS_WITHIN_MS = 60_000;
const ACTIVITY = `
  SELECT pid, state, wait_event_type, wait_event, now() - query_start AS since, left(query, 100) AS query
  FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
`;
const SETTINGS = `
shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb'
cron.database_name = 'postgres'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
dynamic_shared_memory_type = mmap
`;

/** Starts it with the programs of the Debian system in `root`, as the user that owns its data there. */
export async function startPostgres(root: string): Promise<Postgres> {
  const inside = ['--userspec=postgres:postgres', root];
  const program = (name: string) => join('/usr/lib/postgresql/18/bin', name);
  const dir = await mkdtemp(join(root, 'tmp', 'sluice-postgres-'));
  const { uid, gid } = await stat(join(root, 'var/lib/postgresql'));
  await chown(dir, uid, gid);
  const data = `${dir.slice(root.length)}/data`;
  const port = await freePort();
  await run('chroot', [
    ...inside,
    program('initdb'),
    ...['-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
  ]);
  await appendFile(join(dir, 'data', 'postgresql.conf'), `${SETTINGS}port = ${port}\n`);

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const said: string[] = [];
  let child: ChildProcess;

  async function tryToStart(): Promise<boolean> {
    const from = said.length;
    child = spawn('chroot', [...inside, program('postgres'), '-D', data], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => said.push(line));
    const ready = () => said.slice(from).some((line) => line.includes(READY));
    await until(() => ready() || hasEnded(child), { what: 'PostgreSQL is ready', withinMs: STAYS_WITHIN_MS });
    return ready() && !hasEnded(child);
  }

  async function start(): Promise<void> {
    await until(tryToStart, { what: 'PostgreSQL is ready, and stays', withinMs: STAYS_WITHIN_MS }).catch(
      (error) => {
        throw new Error(`${(error as Error).message}:\n${said.slice(-10).join('\n')}`);
      },
    );
  }

  async function psql(sql: string): Promise<string> {
    const { stdout } = await run('chroot', [...inside, program('psql'), '-qtA', '-d', url, '-c', sql]);
    return stdout.trim();
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  await start();
  await psql('CREATE EXTENSION documentdb CASCADE');
  return {
    url,
    setting: (name) => psql(`SHOW ${name}`),
    activity: () => psql(ACTIVITY),
    async killBackend(random) {
      const before = said.length;
      let backends: readonly number[] = [];
      await until(
        async () => {
          backends = await backendsOf(child.pid as number);
          return backends.length > 0;
        },
        { what: 'PostgreSQL has a client' },
      );
      process.kill(backends[Math.floor(random() * backends.length)] as number, 'SIGKILL');
      await until(() => said.slice(before).some((line) => line.includes(READY)), {
        what: 'PostgreSQL has recovered',
        withinMs: STAYS_WITHIN_MS,
      });
    },
    async killPostmaster() {
      await end('SIGKILL');
      await start();
    },
    async stop() {
      await end('SIGQUIT');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The processes that serve one client each. PostgreSQL's background processes have no address in their title. */
async function backendsOf(postmaster: number): Promise<number[]> {
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim();
  const pids = children === '' ? [] : children.split(' ').map(Number);
  const titles = await Promise.all(
    // The process may have ended meanwhile.
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => titles[i]?.includes(' 127.0.0.1('));
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
