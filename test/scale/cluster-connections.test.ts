import { writeResults } from '@sluice/contract/delivery/action-result';
import { createResults } from '@sluice/ingress/results/results';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import { hashSlot } from '@sluice/redis/shards/shard-connection';
import { expect } from 'chai';
import { type Cluster, Redis } from 'ioredis';
import type { RedisServer } from '../support/redis-server.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { type RedisCluster, startRedisCluster } from './support/redis-cluster.ts';

const OTHERS = 5;

/** A worker has two connections per shard and queue. A slot refresh costs a connection and some milliseconds. */
describe('the connections of a process to a Redis Cluster', function () {
  this.timeout(240_000);
  let cluster: RedisCluster;
  let first: Redis;
  let others: Redis[];
  before(async () => {
    cluster = await startRedisCluster();
    const settings = { url: cluster.url, name: 'test', logger: silentLogger() };
    first = connectRedis({ ...settings, role: 'worker' });
    others = Array.from({ length: OTHERS }, () =>
      connectRedis({ ...settings, role: 'worker', beside: first }),
    );
    const ready = () => [first, ...others].every(({ status }) => status === 'ready');
    await until(ready, { what: 'all are connected' });
  });
  after(async () => {
    for (const redis of [first, ...others]) redis?.disconnect();
    await cluster?.stop();
  });

  async function ask(server: RedisServer, ...command: [string, ...string[]]): Promise<unknown> {
    const connection = new Redis(server.url);
    try {
      return await connection.call(...command);
    } finally {
      connection.disconnect();
    }
  }

  it('share one slot refresh', async () => {
    const looks = async (): Promise<number> => {
      const stats = await Promise.all(cluster.servers.map((server) => ask(server, 'INFO', 'commandstats')));
      const counts = stats.join('\n').matchAll(/^cmdstat_cluster\|slots:calls=(\d+)/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const refreshed = () => new Promise<void>((resolve) => void first.once('refresh' as never, resolve));
    await refreshed();
    const before = await looks();
    await refreshed();
    await refreshed();
    // One refresh may be counted and not yet answered.
    expect((await looks()) - before).to.be.within(2, 3);
  });

  it('all learn of a failover, even if idle', async () => {
    const slot = hashSlot('test:0');
    const master = await cluster.masterOf('test:0');
    await master.kill('SIGKILL');
    await cluster.takenOver('test:0', master);
    const { port } = await cluster.masterOf('test:0');
    const ownerSeenBy = (redis: Redis) => (redis as unknown as Cluster).slots[slot]?.[0];
    const known = () => others.every((redis) => ownerSeenBy(redis) === `127.0.0.1:${port}`);
    await until(known, { what: 'all know the new master' });
    await master.restart();
    await cluster.whole();
  });

  it('bring results again after the server of their subscription has frozen, on a connection that stays open', async () => {
    const [keyspace, ingressId, logger] = [createKeyspace('results'), 'one', silentLogger()];
    const settings = { url: cluster.url, name: 'test-results', logger };
    const subscriber = connectRedis({ ...settings, role: 'subscriber', beside: first });
    const results = createResults({ subscriber, keyspace, ingressId, logger, confirmEveryMs: 1_000 });
    /** Whether a result comes that a worker publishes now. */
    const isHeard = async (): Promise<boolean> => {
      const expected = results.expect('req_1', 0);
      if (expected === undefined) return false;
      const told = writeResults([{ request_id: 'req_1', outcome: 'created', event_id: null }]);
      await first.publish(keyspace.results(ingressId), told).catch(() => undefined);
      return (await expected.within(200)) !== undefined;
    };
    /** The server that the client has chosen at random. */
    const serverOfSubscription = async (): Promise<RedisServer> => {
      for (const server of cluster.servers)
        if ((await ask(server, 'CLIENT', 'LIST', 'TYPE', 'pubsub')) !== '') return server;
      throw new Error('no server has the subscription');
    };
    const replicaOf = async (master: RedisServer): Promise<RedisServer | undefined> => {
      const [role, , replicas] = (await ask(master, 'ROLE')) as [
        string,
        number,
        [host: string, port: string][],
      ];
      // The client may have chosen a replica.
      if (role !== 'master') return undefined;
      return cluster.servers.find(({ port }) => replicas.some((replica) => Number(replica[1]) === port));
    };
    try {
      await until(isHeard, { what: 'a result comes' });
      const server = await serverOfSubscription();
      // The client drops a server whose replica takes over. None does if only the path from here drops packets.
      (await replicaOf(server))?.freeze();
      server.freeze();
      await until(async () => !(await isHeard()), { what: 'no result comes' });
      await until(isHeard, { withinMs: 120_000, what: 'a result comes again' });
    } finally {
      results.close();
      subscriber.disconnect();
    }
  });
});
