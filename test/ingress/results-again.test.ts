import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { writeResults } from '@sluice/contract/told-result';
import { createResults, type Results } from '@sluice/ingress/results/results';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

const INGRESS = 'one';

describe('ingress: the results that it waits for, after the server of its subscription has fallen silent', () => {
  const keyspace = createKeyspace(uniqueNamespace());
  /** The connections of servers, which a silent one keeps open. */
  const upstreams: Socket[] = [];
  let proxy: Server;
  let redis: Redis;
  let subscriber: Redis;
  let results: Results;
  before(async () => {
    const { hostname, port } = new URL(sharedRedisUrl());
    proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      upstreams.push(upstream);
      for (const one of [client, upstream]) one.on('error', () => undefined);
      client.pipe(upstream);
      upstream.pipe(client);
      client.on('close', () => upstream.destroy());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    redis = new Redis(sharedRedisUrl());
    subscriber = connectRedis({
      url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      name: 'test-results',
      role: 'subscriber',
      logger: silentLogger(),
    });
    results = createResults({
      subscriber,
      keyspace,
      ingressId: INGRESS,
      logger: silentLogger(),
      confirmEveryMs: 200,
    });
  });
  after(async () => {
    results?.close();
    for (const one of [redis, subscriber]) one?.disconnect();
    for (const upstream of upstreams) upstream.destroy();
    proxy?.close();
  });

  /** Whether a result comes that a worker publishes now. */
  const isHeard = async (): Promise<boolean> => {
    const expected = results.expect('req_1', 0);
    if (expected === undefined) return false;
    const told = writeResults([{ request_id: 'req_1', outcome: 'created', event_id: null }]);
    await redis.publish(keyspace.results(INGRESS), told);
    return (await expected.within(50)) !== undefined;
  };

  it('come on a new connection', async () => {
    await until(isHeard, { what: 'a result comes' });
    for (const upstream of upstreams) upstream.unpipe();
    await until(async () => !(await isHeard()), { what: 'no result comes' });
    await until(isHeard, { withinMs: 10_000, what: 'a result comes again' });
  });
});
