import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startRedis } from '../support/redis-server.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';

describe('the Redis of the tests', () => {
  it('is one server for the whole run, with a namespace for each test', async () => {
    const redis = new Redis(sharedRedisUrl());
    const key = `${uniqueNamespace()}:key`;
    expect(await redis.set(key, '1')).to.equal('OK');
    await redis.quit();
    expect(uniqueNamespace()).not.to.equal(uniqueNamespace());
  });

  it('keeps its data after SIGKILL when it has an append-only file', async () => {
    const server = await startRedis({ aof: true });
    const redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    try {
      await redis.set('kept', 'yes');
      await server.kill();
      await server.restart();
      expect(await redis.get('kept')).to.equal('yes');
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });
});
