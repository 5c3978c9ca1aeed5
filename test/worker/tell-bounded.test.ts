import { createKeyspace } from '@sluice/admission/keyspace';
import type { Delivery } from '@sluice/contract/delivery';
import { connectRedis } from '@sluice/runtime/redis-connection';
import { expect } from 'chai';
import { createTell } from '../../services/worker/src/tell.ts';
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

describe('worker: a dashboard that cannot be told', () => {
  let server: RedisServer;
  before(async () => {
    server = await startRedis();
  });
  after(() => server?.stop());

  it('lets nothing gather while its Redis answers nothing, and is told again once it does', async () => {
    const redis = connectRedis({
      url: server.url,
      name: 'tell',
      role: 'worker',
      logger: silentLogger(),
    });
    await redis.ping();
    const tell = createTell({
      resources: { redis, keyspace: createKeyspace(uniqueNamespace()) },
      logger: silentLogger(),
      trouble: () => null,
    });
    const written: Delivery[] = [];
    const log = tell.listening({
      insertDeliveries: async (rows) => void written.push(...rows),
      replaceDelivery: async () => undefined,
    });
    const queue = (redis as unknown as { commandQueue: { length: number } }).commandQueue;
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
      await tell.stop();
      redis.disconnect();
    }
  });
});
