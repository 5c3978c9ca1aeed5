import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

export interface RedisServerSettings {
  /** Append-only file, with an fsync per write as in production (true), or per second. Default: nothing is kept on disk. */
  readonly aof?: boolean | 'everysec';
  /** A folder whose copy it starts with, such as a backup of another server's `dir`. Default: it starts empty. */
  readonly from?: string;
  /** More arguments of redis-server, such as `['--maxmemory', '4mb']`. */
  readonly args?: readonly string[];
}

/** A real redis-server of one test's own. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Where it keeps its data. */
  readonly dir: string;
  /** Sends a signal (default SIGKILL) and waits for the end of the process. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again, on the same port with the same data, once it has ended; resolves when it answers. */
  restart(): Promise<void>;
  /** Still connected, answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

/** Starts redis-server on a free port with its data in a new temporary folder. */
export async function startRedis({
  aof = false,
  from,
  args = [],
}: RedisServerSettings = {}): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
  if (from !== undefined) await cp(from, dir, { recursive: true });
  const port = await freePort();
  const fsync = aof === 'everysec' ? 'everysec' : 'always';
  const durability = aof ? ['--appendonly', 'yes', '--appendfsync', fsync] : ['--appendonly', 'no'];
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ];
  let child: ChildProcess;
  let stopped = false;
  async function start(): Promise<void> {
    // A test that was given up may still be about to start it again.
    if (stopped) throw new Error('this Redis was stopped for good');
    child = spawn('redis-server', [...options, ...durability, ...args], { stdio: 'ignore' });
    await answers(port, child).catch(async (error) => {
      await kill();
      throw error;
    });
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A frozen process takes no signal but SIGKILL before it goes on.
    child.kill('SIGCONT');
    await ended;
  }

  async function stop(): Promise<void> {
    stopped = true;
    await kill();
    await rm(dir, { recursive: true, force: true });
  }

  await start().catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    restart: async () => {
      await kill('SIGTERM');
      await start();
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop,
  };
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  probe.on('error', () => {});
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`redis-server ended with ${code} before it answered on port ${port}`);
  });
  ended.catch(() => {});
  try {
    await Promise.race([pong(probe), ended]);
  } finally {
    probe.disconnect();
  }
}

/** A server with a password answers too, if only to ask for it. */
async function pong(probe: Redis): Promise<unknown> {
  return probe.ping().catch((error: Error) => {
    if (!error.message.startsWith('NOAUTH')) throw error;
  });
}
