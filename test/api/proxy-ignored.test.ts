import { startHeartbeat } from '@sluice/activity/replicas';
import type { Overview } from '@sluice/dashboard-api/overview';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { createKeyspace } from '@sluice/shards/keyspace';
import { expect } from 'chai';
import supertest from 'supertest';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { until } from '../support/until.ts';

describe('api: a proxy whose client addresses are ignored', () => {
  let api: TestApi;
  let owner: Person;
  before(async () => {
    api = await startApi({ config: { TRUST_PROXY: false } });
    owner = await api.addPerson(await api.addAccount(), 'owner');
  });
  after(() => api?.close());

  const needs = async () =>
    ((await owner.read('/overview')) as Overview).attention.map(({ kind }) => kind as string);

  it('needs attention while a process says so', async () => {
    expect(await needs()).not.to.include('proxy_ignored');
    const keyspace = createKeyspace(api.namespace);
    const heartbeat = startHeartbeat({
      ...{ redis: api.redis, keyspace, kind: 'ingress' },
      trouble: () => null,
      ignoresProxy: () => true,
    });
    await until(async () => (await needs()).includes('proxy_ignored'));
    await heartbeat.stop();
    expect(await needs()).not.to.include('proxy_ignored');
  });

  it('is noticed by the API, by requests of people who are signed in', async () => {
    const [replica] = api.replicas;
    const look = (cookie: string) =>
      supertest(api.app).get(`${DASHBOARD_API}/overview`).set({ cookie, 'x-forwarded-for': '203.0.113.7' });
    expect((await look('')).status).to.equal(401);
    expect(replica?.ignoresProxy()).to.equal(false);
    expect((await look(owner.cookie)).status).to.equal(200);
    expect(replica?.ignoresProxy()).to.equal(true);
  });
});
