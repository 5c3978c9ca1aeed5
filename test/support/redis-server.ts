import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { type KillableServer, startKillable } from './killable-server.ts';
import { use } from './use.ts';

export interface RedisServerSettings {
  /** Append-only file, with an fsync per write as in production (true), or per second. Default: no data on disk. */
  readonly aof?: boolean | 'everysec';
  /** It starts with a copy of this folder, such as a backup of another server's `dir`. Default: it starts empty. */
  readonly from?: string;
  /** The server that it replicates. It is in sync some moments after its start. */
  readonly replicaOf?: { readonly port: number };
  /** More arguments of redis-server, such as `['--maxmemory', '4mb']`. */
  readonly args?: readonly string[];
}

/** A real redis-server for one test. */
export interface RedisServer extends KillableServer {
  readonly url: string;
  readonly port: number;
}

/** A redis-server for the tests of a describe block. */
export function useRedis(settings?: RedisServerSettings): RedisServer {
  return use(() => startRedis(settings));
}

/** Starts redis-server on a free port with its data in a new temporary folder. */
export async function startRedis({
  aof = false,
  from,
  replicaOf,
  args = [],
}: RedisServerSettings = {}): Promise<RedisServer> {
  const port = await freePort();
  const fsync = aof === 'everysec' ? 'everysec' : 'always';
  const durability = aof ? ['--appendonly', 'yes', '--appendfsync', fsync] : ['--appendonly', 'no'];
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--loglevel', 'warning'];
  const of = replicaOf && [
    '--replicaof',
    '127.0.0.1',
    `${replicaOf.port}`,
    '--repl-diskless-sync-delay',
    '0',
  ];
  const memory = ['--save', '', '--maxmemory-policy', 'noeviction'];
  const server = await startKillable({
    name: 'redis',
    from,
    command: 'redis-server',
    args: (dir) => [...place, '--dir', dir, ...memory, ...durability, ...(of ?? []), ...args],
    ready: (child) => answers(port, child),
  });
  return Object.assign(server, { url: `redis://127.0.0.1:${port}`, port });
}

/** Waits as long as the process lives. */
async function answers(port: number, child: ChildProcess): Promise<void> {
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  probe.on('error', () => {});
  child.once('exit', () => probe.disconnect());
  try {
    // A server with a password also responds, with a request for it.
    await probe.ping().catch((error: Error) => {
      if (!error.message.startsWith('NOAUTH')) throw error;
    });
  } finally {
    probe.disconnect();
  }
}
