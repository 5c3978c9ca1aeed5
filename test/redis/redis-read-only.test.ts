import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { expect } from 'chai';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { startService } from '../support/service-process.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

const WRITES = 100;

describe('a REDIS_URL that leads to a replica', () => {
  let primary: RedisServer;
  let replica: RedisServer;
  let mongo: TestMongo;
  beforeEach(async () => {
    [primary, mongo] = await Promise.all([startRedis(), openTestMongo('read-only')]);
    replica = await startRedis({ replicaOf: primary });
  });
  afterEach(async () => {
    await Promise.all([replica?.stop(), primary?.stop(), mongo?.close()]);
  });

  it('is logged once with a fix, for any number of writes, and accepts writes once it is the primary', async () => {
    const { logger, records } = recordingLogger();
    const redis = connectRedis({ url: replica.url, name: 'test', role: 'request', logger });
    const write = () => redis.set('key', 'value').catch((error: Error) => error.message);
    try {
      for (let written = 0; written < WRITES; ) {
        // A connection that is being closed rejects in the same turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
        if (String(await write()).startsWith('READONLY')) written += 1;
      }
      expect(records.map(({ event }) => event)).to.deep.equal(['redis.refuses']);
      expect(records[0]?.reason).to.match(/^READONLY/);
      expect(records[0]?.advice).to.match(/must lead to the primary/);
      await redis.replicaof('NO', 'ONE');
      await until(async () => (await write()) === 'OK');
    } finally {
      redis.disconnect();
    }
  });

  it('makes an ingress wait until it is the primary, like a Redis that is away', async () => {
    const service = startService('ingress', {
      REDIS_URL: replica.url,
      MONGO_URL: mongo.url,
      SLUICE_NAMESPACE: uniqueNamespace('read-only'),
      SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      DRAIN_MS: '0',
    });
    const { logger } = recordingLogger();
    const redis = connectRedis({ url: replica.url, name: 'test', role: 'worker', logger });
    const metrics = async () => (await fetch(`${service.adminUrl()}/metrics`)).text();
    try {
      await service.logged('redis.refuses');
      // Alerts ignore a process that is starting.
      await until(async () => /gate_closed\{.*reason="redis_away".*\} 1/.test(await metrics()), {
        what: 'the gate is closed for what is away',
      });
      await redis.replicaof('NO', 'ONE');
      await service.ready();
    } finally {
      redis.disconnect();
      await service.kill('SIGKILL');
    }
  });
});
