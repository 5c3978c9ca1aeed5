import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hashSlot } from '@sluice/redis/shards/shard-connection';
import { Redis } from 'ioredis';
import { freePort } from '../../support/free-port.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const MASTERS = 3;

/** A killed server refuses the connection at once, so only a busy machine needs as long. Milliseconds. */
const COMMAND_MS = 20_000;

/** A replica takes over from a silent master after this time and an election, in milliseconds. */
const NODE_TIMEOUT_MS = 1500;

/** A real Redis Cluster for one test: three masters with one replica each. */
export interface RedisCluster {
  readonly url: string;
  readonly servers: readonly RedisServer[];
  /** The server that serves the slot of a hash tag now. */
  masterOf(tag: string): Promise<RedisServer>;
  /** Cuts a master off from its replica, until it is killed or `reconnect` is called. */
  cutReplicaOff(master: RedisServer): Promise<void>;
  /** Lets replicas connect to each server again, and resolves once the Cluster is whole. */
  reconnect(): Promise<void>;
  /** The replica of a master takes over without its agreement. Resolves once the former master answers as a replica. */
  demote(master: RedisServer): Promise<void>;
  /** Resolves once another server serves the slot of a hash tag. */
  takenOver(tag: string, from: RedisServer): Promise<void>;
  /** Resolves once every slot is served and every master's replica is in sync. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

/** A Cluster for the tests of a describe block. */
export function useRedisCluster(): RedisCluster {
  return use(startRedisCluster);
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    for (let i = 0; i < MASTERS * 2; i++) servers.push(await startNode());
    await join(servers);
  } catch (error) {
    await stop();
    throw error;
  }
  const cluster: RedisCluster = {
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    servers,
    async masterOf(tag) {
      const slot = hashSlot(tag);
      const owner = (await slotsOf(servers)).find(({ from, to }) => from <= slot && slot <= to);
      const found = servers.find(({ port }) => port === owner?.port);
      if (found === undefined) throw new Error(`no server serves slot ${slot}`);
      return found;
    },
    cutReplicaOff: (master) =>
      ask([master], async (redis) => {
        // Prevents the replica from reconnecting at once.
        await redis.acl('SETUSER', 'default', '-psync', '-sync');
        await redis.call('CLIENT', 'KILL', 'TYPE', 'replica');
      }),
    async reconnect() {
      for (const server of servers)
        await ask([server], (redis) => redis.acl('SETUSER', 'default', '+psync', '+sync'));
      await cluster.whole();
    },
    async demote(master) {
      await ask([await replicaOf(master, servers)], (redis) => redis.cluster('FAILOVER', 'TAKEOVER'));
      const isReplica = () => ask([master], async (redis) => (await redis.role())[0] === 'slave');
      await until(isReplica, { what: 'the former master is a replica' });
    },
    takenOver: (tag, from) =>
      until(() => cluster.masterOf(tag).then((master) => master !== from, isNotYet), {
        withinMs: 90_000,
        what: 'a replica took over',
      }),
    whole: () =>
      until(() => isWhole(servers).catch(isNotYet), { withinMs: 90_000, what: 'the Cluster is whole' }),
    stop,
  };
  await cluster.whole();
  return cluster;
}

/** While a server is being killed or started, nobody may respond. */
const isNotYet = () => false;

async function startNode(): Promise<RedisServer> {
  const bus = await freePort();
  const options = {
    'cluster-enabled': 'yes',
    // The default (port + 10000) may be taken, or be no valid port.
    'cluster-port': bus,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    // The shards on the other servers continue.
    'cluster-require-full-coverage': 'no',
    'repl-diskless-sync-delay': 0,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return startRedis({ aof: true, args });
}

async function join(servers: readonly RedisServer[]): Promise<void> {
  const nodes = servers.map(({ port }) => `127.0.0.1:${port}`);
  const how = ['--cluster-replicas', '1', '--cluster-yes'];
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...nodes, ...how]);
}

/** Sends the command to any server that responds. */
async function ask<T>(servers: readonly RedisServer[], question: (redis: Redis) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const { port } of servers) {
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => null, commandTimeout: COMMAND_MS });
    redis.on('error', () => undefined);
    try {
      return await question(redis);
    } catch (error) {
      failure = error;
    } finally {
      redis.disconnect();
    }
  }
  throw failure;
}

async function slotsOf(servers: readonly RedisServer[]) {
  const ranges = await ask(servers, (redis) => redis.cluster('SLOTS'));
  return ranges.map(([from, to, master]) => ({ from, to, port: (master as unknown[])[1] }));
}

async function replicaOf({ port }: RedisServer, servers: readonly RedisServer[]): Promise<RedisServer> {
  for (const server of servers) {
    const [role, , masterPort] = await ask([server], (redis) => redis.role());
    if (role === 'slave' && masterPort === port) return server;
  }
  throw new Error(`no server replicates port ${port}`);
}

/** True if every server reports it. */
async function isWhole(servers: readonly RedisServer[]): Promise<boolean> {
  const views = await Promise.all(
    servers.map((server) =>
      ask([server], async (redis) =>
        [await redis.cluster('INFO'), await redis.info('replication')].join('\n'),
      ),
    ),
  );
  return views.every(
    (view) =>
      view.includes('cluster_state:ok') &&
      view.includes(`cluster_known_nodes:${servers.length}`) &&
      (view.includes('master_link_status:up') || /slave0:.*state=online/.test(view)),
  );
}

/** Sends one command to one server. */
export async function command(
  server: Pick<RedisServer, 'url'>,
  ...words: [string, ...string[]]
): Promise<unknown> {
  const connection = new Redis(server.url);
  try {
    return await connection.call(...words);
  } finally {
    connection.disconnect();
  }
}
