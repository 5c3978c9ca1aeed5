import type { Delivery } from '@sluice/contract/delivery';
import { keepPublished, liveNow, readLive } from '@sluice/monitoring/live-deliveries';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { createActivityPublisher } from '../../services/worker/src/publish-activity.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

const GROUPS = 200;
const row = {
  account_id: 'acc_1',
  source_id: 'src_1',
  received_at: Date.now(),
  http_status: 200,
  code: null,
};

describe('worker: publishing activity without Redis', () => {
  let server: RedisServer;
  before(async () => {
    server = await startRedis();
  });
  after(() => server?.stop());

  async function openPublisher() {
    const redis = connectRedis({
      url: server.url,
      name: 'publisher',
      role: 'worker',
      logger: silentLogger(),
    });
    await redis.ping();
    const keyspace = createKeyspace(uniqueNamespace());
    const publisher = createActivityPublisher({
      resources: { redis, keyspace },
      logger: silentLogger(),
      trouble: () => null,
    });
    const written: Delivery[] = [];
    const log = publisher.listening({
      insertDeliveries: async (rows) => void written.push(...rows),
      replaceDelivery: async () => undefined,
    });
    const queue = (redis as unknown as { commandQueue: { length: number } }).commandQueue;
    return { redis, keyspace, queue, publisher, log, written };
  }

  it('reports the number of omitted rows to the live view, even if no further rows are written', async () => {
    const { redis, keyspace, publisher, log } = await openPublisher();
    try {
      await keepPublished({ redis, keyspace }, row.account_id);
      const start = await liveNow({ redis, keyspace }, row.account_id);
      server.freeze();
      for (let n = 0; n < GROUPS; n++) await log.insertDeliveries([row as Delivery]);
      server.thaw();
      const reported = async () => {
        const news = (await readLive({ redis, keyspace }, new Map([[row.account_id, start]]))).get(
          row.account_id,
        );
        const entries = news?.status === 'read' ? news.entries : [];
        return entries.reduce((sum, { rows, omitted }) => sum + rows.length + omitted, 0);
      };
      await until(async () => (await reported()) === GROUPS, { what: 'every row is published or counted' });
    } finally {
      server.thaw();
      await publisher.stop();
      redis.disconnect();
    }
  });

  it('reports the number of rows whose publication failed, even if no further rows are written', async () => {
    const { redis, keyspace, publisher, log } = await openPublisher();
    try {
      await keepPublished({ redis, keyspace }, row.account_id);
      const start = await liveNow({ redis, keyspace }, row.account_id);
      // Redis answers questions and rejects writes.
      await redis.config('SET', 'maxmemory', '1');
      await log.insertDeliveries([row as Delivery]);
      await redis.echo('the publication has failed');
      await redis.echo('');
      await redis.config('SET', 'maxmemory', '0');
      const omitted = async () => {
        const news = (await readLive({ redis, keyspace }, new Map([[row.account_id, start]]))).get(
          row.account_id,
        );
        const entries = news?.status === 'read' ? news.entries : [];
        return entries.map((entry) => entry.omitted);
      };
      await until(async () => (await omitted()).length > 0, {
        what: 'viewers get the number',
        withinMs: 10_000,
      });
      expect(await omitted()).to.deep.equal([1]);
    } finally {
      await publisher.stop();
      redis.disconnect();
    }
  });

  it('queues almost nothing while Redis does not respond, and publishes again afterwards', async () => {
    const { redis, queue, publisher, log, written } = await openPublisher();
    try {
      await until(() => queue.length === 0);
      server.freeze();
      for (let n = 0; n < GROUPS; n++) await log.insertDeliveries([row as Delivery]);
      expect(written).to.have.length(GROUPS);
      expect(queue.length).to.be.within(1, 6);
      server.thaw();
      await until(() => queue.length === 0);
      await log.insertDeliveries([row as Delivery]);
      expect(queue.length).to.be.above(0);
    } finally {
      server.thaw();
      await publisher.stop();
      redis.disconnect();
    }
  });
});
