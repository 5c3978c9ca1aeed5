import type { Delivery } from '@sluice/contract/delivery';
import { keepPublished, publishDeliveries } from '@sluice/monitoring/live-deliveries';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type Followed, followDeliveries } from '../../services/cli/src/follow-deliveries.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';

/** An id by the clock of a former master, which was ahead of every other. */
const AHEAD = '9000000000000-1';

describe('sluice tail after Redis failed over to a server with a slower clock', () => {
  const keyspace = createKeyspace('followed');
  let server: RedisServer;
  let redis: Redis;
  before(async () => {
    server = await startRedis({ args: ['--enable-debug-command', 'local'] });
    redis = new Redis(server.url);
  });
  after(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  it('continues, and reports once that deliveries may be missing', async () => {
    const followed = followDeliveries({ redis, keyspace }, 'acc_1', { pause: async () => undefined });
    const next = async () => (await followed.next()).value as Followed;
    const titles = async () => (await next()).rows.map(({ title }) => title);
    const row = (title: string) => ({ account_id: 'acc_1', title }) as Delivery;
    await next();
    const lost = JSON.stringify([row('lost')]);
    await redis.xadd(keyspace.live('acc_1'), AHEAD, 'rows', lost, 'omitted', '0');
    expect(await titles()).to.deep.equal(['lost']);
    await redis
      .multi()
      .xdel(keyspace.live('acc_1'), AHEAD)
      .call('XSETID', keyspace.live('acc_1'), '1-1')
      .exec();
    await redis.call('DEBUG', 'CHANGE-REPL-ID');
    expect(await next()).to.deep.equal({ rows: [], omitted: 0, isMissing: true });
    expect(await next()).to.deep.equal({ rows: [], omitted: 0, isMissing: false });
    await keepPublished({ redis, keyspace }, 'acc_1');
    await publishDeliveries({ redis, keyspace }, [row('after')]);
    expect(await titles()).to.deep.equal(['after']);
  });
});
