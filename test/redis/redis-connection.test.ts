import { connectRedis, reconnectDelay } from '@sluice/redis/connection/redis-connection';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { freePort } from '../support/free-port.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { rejection } from '../support/rejection.ts';
import { recordingLogger, silentLogger } from '../support/silent-logger.ts';
import { timed } from '../support/timed.ts';
import { until } from '../support/until.ts';

describe('a Redis connection', () => {
  let server: RedisServer;
  const opened: Redis[] = [];
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => {
    for (const redis of opened.splice(0)) redis.disconnect();
    return server?.stop();
  });
  const connect = (role: 'request' | 'worker', logger = silentLogger()) =>
    connectRedis({ url: server.url, name: 'test', role, logger });
  const ready = (redis: ReturnType<typeof connect>) =>
    redis.status === 'ready'
      ? Promise.resolve()
      : new Promise<void>((resolve) => redis.once('ready', () => resolve()));

  it('for requests fails at once while Redis is away, and works again after that', async () => {
    const redis = connect('request');
    await ready(redis);
    const closed = new Promise((resolve) => redis.once('close', resolve));
    await server.kill();
    await closed;
    const error = await rejection(redis.ping());
    // It waited neither for its timeout nor in a queue.
    expect(error.message).to.match(/^Stream isn't writeable/);
    await server.restart();
    await ready(redis);
    expect(await redis.ping()).to.equal('PONG');
    redis.disconnect();
  });

  for (const role of ['request', 'worker'] as const)
    it(`in the role ${role} writes to its own database only, also after it was not allowed to select it`, async () => {
      const operator = connect('request');
      await ready(operator);
      await operator.acl('SETUSER', 'default', '-select');
      const refused = new Promise<string>((resolve) => {
        const url = `${server.url}/1`;
        const redis = connectRedis({ url, name: 'test', role, logger: silentLogger() });
        redis.once('error', ({ message }: Error) => resolve(message));
        redis.set('written', 'here').catch(() => redis.once('ready', () => redis.set('written', 'here')));
        opened.push(redis);
      });
      expect(await refused).to.match(/^NOPERM /);
      // It has tried again more than once.
      const tries = async () =>
        Number(/total_connections_received:(\d+)/.exec(await operator.info('stats'))?.[1]);
      const before = await tries();
      await until(async () => (await tries()) > before + 2);
      expect(await operator.dbsize()).to.equal(0);
      await operator.acl('SETUSER', 'default', '+select');
      await until(async () => /db1:keys=1/.test(await operator.info('keyspace')));
      expect(await operator.dbsize()).to.equal(0);
      operator.disconnect();
    });

  it('for requests fails within 1.5 seconds while Redis is frozen', async () => {
    const redis = connect('request');
    await ready(redis);
    server.freeze();
    const { result: error, ms } = await timed(() => rejection(redis.ping()));
    server.thaw();
    expect(error.message).to.equal('Command timed out');
    expect(ms).to.be.below(1500);
    redis.disconnect();
  });

  it('for workers waits for a Redis that comes back', async () => {
    const redis = connect('worker');
    await ready(redis);
    await server.kill();
    const pending = redis.ping();
    await server.restart();
    expect(await pending).to.equal('PONG');
    redis.disconnect();
  });

  it('does not throw when Redis was never there, and logs it once', async () => {
    const { logger, records } = recordingLogger();
    const port = await freePort();
    const redis = connectRedis({ url: `redis://127.0.0.1:${port}`, name: 'test', role: 'request', logger });
    for (let attempt = 0; attempt < 3; attempt += 1)
      await new Promise((resolve) => redis.once('reconnecting', resolve));
    redis.disconnect();
    expect(records.map(({ msg }) => msg)).to.deep.equal(['redis is away; reconnecting']);
  });

  it('reconnects four times a second and never gives up', () => {
    expect([1, 2, 3, 4, 5, 1000].map(reconnectDelay)).to.deep.equal([50, 100, 200, 250, 250, 250]);
  });
});
