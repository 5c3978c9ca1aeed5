import type { KeyList, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { expect } from 'chai';
import supertest from 'supertest';
import { identify } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { useApi } from '../support/use-api.ts';
import { useKeys } from './support/use-keys.ts';

describe('api: keys and the identity check', () => {
  const { api, admin, create } = useKeys();

  it('the last use is recorded without one write per use, and never overwritten by an earlier one', async () => {
    const { key, item } = await create();
    const before = Date.now();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => identify(api().replicas[i % 2]?.app as never, key)),
    );
    const lastUse = async () => (await api().store.apiKeys.findApiKey(item.key_id))?.last_used_at ?? 0;
    await until(async () => (await lastUse()) >= before);
    const noted = await lastUse();
    const earlier = { at: noted - 5000, address: '192.0.2.1', route: 'GET /earlier' };
    await api().store.apiKeys.noteUses(new Map([[item.key_id, earlier]]));
    // The other replica may record a later use meanwhile. The value must never decrease.
    expect(await lastUse()).to.be.at.least(noted);
  });

  it('the list shows when, from where, for which route and by which client a key was last used, and its uses in 24 hours', async () => {
    const { key, item } = await create({ name: 'Reporting' });
    const read = async () =>
      ((await admin().read('/keys')) as KeyList).items.find(
        ({ key_id }) => key_id === item.key_id,
      ) as KeyWithActivity;
    expect(await read()).to.include({
      last_used_at: null,
      last_used_from: null,
      uses_24h: 0,
      clients_24h: 0,
    });
    const before = Date.now();
    for (let i = 0; i < 6; i++)
      await supertest(api().replicas[i % 2]?.app as never)
        .get('/api/public/automation/me')
        .set('authorization', `Bearer ${key}`)
        .set('x-forwarded-for', '203.0.113.7')
        .set('user-agent', 'Zapier/1.0')
        .expect(200);
    await until(async () => (await read()).uses_24h === 6);
    await until(async () => (await read()).last_used_at !== null);
    const { activity, last_used_at: at, last_used_from: from } = await read();
    expect(activity).to.have.length(24);
    expect(activity.reduce((sum, { uses }) => sum + uses, 0)).to.equal(6);
    expect(Date.parse(at as string)).to.be.within(before, Date.now());
    expect(from).to.deep.equal({
      address: '203.0.113.7',
      route: 'GET /api/public/automation/me',
      client: 'Zapier/1.0',
    });
  });

  it('rejected requests do not count as uses of a key', async () => {
    const { key, item } = await create();
    await admin().call('post', `/keys/${item.key_id}/revoke`);
    expectProblem(await identify(api().app, key), 'key_revoked');
    const { key: other, item: seen } = await create();
    expect((await identify(api().app, other)).status).to.equal(200);
    const uses = async (keyId: string) =>
      ((await admin().read('/keys')) as KeyList).items.find(({ key_id }) => key_id === keyId)?.uses_24h;
    // Counters are written in order, so the earlier one would be visible by now.
    await until(async () => (await uses(seen.key_id)) === 1);
    expect(await uses(item.key_id)).to.equal(0);
  });

  const limited = useApi({ config: { KEY_RATE_PER_MINUTE: 3, KEY_RATE_BURST: 3 } });
  it('each key has a rate limit, with the headers of the webhook', async () => {
    const make = async () =>
      (await limited.owner.call('post', '/keys', { name: 'k', scopes: ['webhooks'] })).body.key as string;
    const [one, other] = [await make(), await make()];
    for (const left of [2, 1, 0]) {
      const { status, headers } = await identify(limited.replicas[left % 2]?.app as never, one);
      expect(status).to.equal(200);
      expect(headers['ratelimit-policy']).to.equal('"key";q=3;w=60');
      expect(headers.ratelimit).to.match(new RegExp(`^"key";r=${left};t=\\d+$`));
    }
    const refused = await identify(limited.app, one);
    expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 20);
    expect((await identify(limited.app, other)).status).to.equal(200);
  });
});
