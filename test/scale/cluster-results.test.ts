import { writeResults } from '@sluice/contract/delivery/action-result';
import { createResults, type Results } from '@sluice/ingress/results/results';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';
import type { RedisServer } from '../support/redis-server.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { command, useRedisCluster } from './support/redis-cluster.ts';

const INGRESS = 'one';

describe('the results that an ingress waits for, from a Redis Cluster', function () {
  this.timeout(240_000);
  const keyspace = createKeyspace('results');
  const cluster = useRedisCluster();
  let redis: Redis;
  let subscriber: Redis;
  let results: Results;
  before(async () => {
    const settings = { url: cluster.url, logger: silentLogger() };
    redis = connectRedis({ ...settings, name: 'test', role: 'request' });
    subscriber = connectRedis({ ...settings, name: 'test-results', role: 'subscriber', beside: redis });
    results = createResults({
      subscriber,
      keyspace,
      ingressId: INGRESS,
      logger: silentLogger(),
      confirmEveryMs: 3_000,
    });
  });
  after(async () => {
    results?.close();
    for (const one of [redis, subscriber]) one?.disconnect();
  });

  /** Whether a result comes that a worker publishes now. */
  const isHeard = async (): Promise<boolean> => {
    const expected = results.expect('req_1', 0);
    if (expected === undefined) return false;
    const told = writeResults([{ request_id: 'req_1', outcome: 'created', event_id: null }]);
    await redis.publish(keyspace.results(INGRESS), told).catch(() => undefined);
    return (await expected.within(200)) !== undefined;
  };
  /** The server that the client has chosen at random. */
  const serverOfSubscription = async (): Promise<RedisServer> => {
    for (const server of cluster.servers)
      if ((await command(server, 'CLIENT', 'LIST', 'TYPE', 'pubsub')) !== '') return server;
    throw new Error('no server has the subscription');
  };
  const replicaOf = async (master: RedisServer): Promise<RedisServer | undefined> => {
    const [, , replicas] = (await command(master, 'ROLE')) as [
      string,
      number,
      [host: string, port: string][],
    ];
    return cluster.servers.find(({ port }) => replicas.some((replica) => Number(replica[1]) === port));
  };

  it('come again after the server of its subscription has frozen, on a connection that stays open', async () => {
    await until(isHeard, { what: 'a result comes' });
    const server = await serverOfSubscription();
    // The client drops a server whose replica takes over. None does if only the path from here drops packets.
    (await replicaOf(server))?.freeze();
    server.freeze();
    await until(async () => !(await isHeard()), { what: 'no result comes' });
    await until(isHeard, { withinMs: 120_000, what: 'a result comes again' });
  });
});
