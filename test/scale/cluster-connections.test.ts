import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { hashSlot } from '@sluice/redis/shards/shard-connection';
import { expect } from 'chai';
import type { Cluster, Redis } from 'ioredis';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { command, useRedisCluster } from './support/redis-cluster.ts';

const OTHERS = 5;

/** A worker has two connections per shard and queue. A slot refresh costs a connection and some milliseconds. */
describe('the connections of a process to a Redis Cluster', function () {
  this.timeout(240_000);
  const cluster = useRedisCluster();
  let first: Redis;
  let others: Redis[];
  before(async () => {
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
  });

  it('share one slot refresh', async () => {
    const looks = async (): Promise<number> => {
      const stats = await Promise.all(
        cluster.servers.map((server) => command(server, 'INFO', 'commandstats')),
      );
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
});
