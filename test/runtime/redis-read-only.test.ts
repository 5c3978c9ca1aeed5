import { connectRedis } from '@sluice/runtime/redis-connection';
import { expect } from 'chai';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

const WRITES = 100;

describe('a REDIS_URL that leads to a replica', () => {
  let primary: RedisServer;
  let replica: RedisServer;
  beforeEach(async () => {
    primary = await startRedis();
    replica = await startRedis({ args: ['--replicaof', '127.0.0.1', String(primary.port)] });
  });
  afterEach(async () => {
    await Promise.all([replica?.stop(), primary?.stop()]);
  });

  it('is told once, with what to do, however much is written to it, and is written to once it is the primary', async () => {
    const { logger, records } = recordingLogger();
    const redis = connectRedis({ url: replica.url, name: 'test', role: 'request', logger });
    const write = () => redis.set('key', 'value').catch((error: Error) => error.message);
    try {
      for (let written = 0; written < WRITES; ) {
        // A connection that is just being closed refuses within the same turn of the event loop.
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
});
