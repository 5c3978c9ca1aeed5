import type { Overview } from '@sluice/dashboard-api/overview';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { startHeartbeat } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import supertest from 'supertest';
import { until } from '../support/until.ts';
import { useApi } from '../support/use-api.ts';

describe('api: a proxy whose client addresses are ignored', () => {
  const api = useApi({ config: { TRUST_PROXY: false } });

  const needs = async () =>
    ((await api.owner.read('/overview')) as Overview).attention.map(({ kind }) => kind as string);

  it('needs attention while a process reports it', async () => {
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

  it('is detected by the API from requests of signed-in users', async () => {
    const [replica] = api.replicas;
    const open = (cookie: string) =>
      supertest(api.app).get(`${DASHBOARD_API}/overview`).set({ cookie, 'x-forwarded-for': '203.0.113.7' });
    expect((await open('')).status).to.equal(401);
    expect(replica?.ignoresProxy()).to.equal(false);
    expect((await open(api.owner.cookie)).status).to.equal(200);
    expect(replica?.ignoresProxy()).to.equal(true);
  });
});
