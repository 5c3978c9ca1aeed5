import { connectStore } from '@sluice/store/connect';
import { expect } from 'chai';
import { addKey } from '../support/api-processes.ts';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

/** The compiled service, as operators run it. */
describe('api: as a process', () => {
  let redis: RedisServer;
  let mongo: TestMongo;
  let service: ServiceProcess;
  let key: string;
  before(async () => {
    [redis, mongo] = await Promise.all([startRedis(), openTestMongo('api-process')]);
    const store = connectStore({ url: mongo.url, namespace: mongo.database });
    await store.opened();
    for (const plan of ['unlimited', 'gone'])
      await store.accounts.insertAccount({ account_id: plan, name: plan, plan, created_at: 0 });
    key = await addKey({ store }, 'unlimited', ['webhooks', 'read:leads']);
    await store.close();
    service = startService('api', {
      REDIS_URL: redis.url,
      MONGO_URL: mongo.url,
      SLUICE_NAMESPACE: uniqueNamespace('api'),
      SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      DRAIN_MS: '50',
    });
    await service.ready();
  });
  after(async () => {
    await service?.kill('SIGKILL');
    await redis?.stop();
    await mongo?.close();
  });

  it('responds on its port even while Redis is away, with 503 instead of a hang', async () => {
    const { url } = await service.logged('api.listening');
    const ask = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${'x'}` } });
    expect((await ask('/api/public/automation/me')).status).to.equal(401);
    expect((await ask('/openapi.json')).status).to.equal(200);
    await redis.kill();
    const signIn = () =>
      fetch(`${url}/api/dashboard/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"email":"a@example.com","password":"x"}',
      });
    // A hang would exceed the timeout of the test.
    const away = await signIn();
    expect([away.status, away.headers.get('retry-after')]).to.deep.equal([503, '2']);
    await redis.restart();
    await until(async () => (await signIn()).status === 401);
  });

  it('warns about plans that accounts have but the configuration lacks', () => {
    const told = service.log.filter(({ event }) => event === 'plan.unknown');
    expect(told.map(({ plan }) => plan)).to.deep.equal(['gone']);
    expect(told[0]?.msg).to.contain('PLANS').and.contain('set-plan');
  });

  it('ends its streams on SIGTERM, and stops in order with exit code 0', async () => {
    const { url } = await service.logged('api.listening');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ events: ['lead.created'] });
    const streams = `${url}/api/public/webhooks`;
    const made = await fetch(`${streams}/streams`, { method: 'POST', headers, body });
    const { id } = (await made.json()) as { id: string };
    const ended = (await fetch(`${streams}/${id}/stream`, { headers })).text();
    await service.kill('SIGTERM');
    expect(await ended).to.contain('retry:');
    expect(service.ended()).to.equal(0);
    expect(service.log.at(-1)).to.include({ msg: 'stopped', clean: true });
  });
});
