import { DAY_MS, HOUR_MS } from '@sluice/activity/activity';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import type { KeyList, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { expect } from 'chai';
import supertest from 'supertest';
import { identify, type Person, startApi, type TestApi } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';

describe('api: keys and the identity check', () => {
  let api: TestApi;
  let admin: Person;
  let stranger: Person;
  const now: { offset: number; at?: number | undefined } = { offset: 0 };
  before(async () => {
    api = await startApi({
      now: () => now.at ?? Date.now() + now.offset,
      config: { KEY_RATE_PER_MINUTE: 100_000, KEY_RATE_BURST: 100_000 },
    });
    const accountId = await api.addAccount('Acme');
    await api.addPerson(accountId, 'owner');
    admin = await api.addPerson(accountId, 'admin');
    stranger = await api.addPerson(await api.addAccount(), 'owner');
  });
  afterEach(() => {
    now.offset = 0;
    now.at = undefined;
  });
  after(() => api?.close());

  const create = async (extra: object = {}) => {
    const answer = await admin.call('post', '/keys', {
      name: 'Zapier',
      scopes: ['webhooks', 'read:leads'],
      ...extra,
    });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as { key: string; item: { key_id: string; prefix: string } };
  };

  it('returns the account and the key for any live key', async () => {
    const { key, item } = await create({ scopes: ['webhooks'] });
    const answer = await identify(api.app, key);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.equal({
      account: { id: admin.me.account.account_id, name: 'Acme' },
      key: {
        id: item.key_id,
        name: 'Zapier',
        prefix: key.slice(0, 15),
        scopes: ['webhooks'],
        created_at: answer.body.key.created_at,
        expires_at: null,
        last_used_at: null,
      },
    });
    expect(answer.body.key.created_at).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('responds 401 without a lookup if the key is missing, malformed or mistyped', async () => {
    expectProblem(await supertest(api.app).get('/api/public/automation/me'), 'key_missing');
    const basic = supertest(api.app).get('/api/public/automation/me').set('authorization', 'Basic abc');
    expectProblem(await basic, 'key_missing');
    const { key } = await create();
    const typo = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
    for (const wrong of ['nonsense', `${key}x`, typo, key.toUpperCase()]) {
      const answer = await identify(api.app, wrong);
      expectProblem(answer, 'key_invalid');
      expect(answer.headers['www-authenticate']).to.match(/^Bearer/);
      expect(answer.text).not.to.contain(wrong);
    }
  });

  it('accepts GET only', async () => {
    const answer = await supertest(api.app).post('/api/public/automation/me');
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.allow).to.equal('GET');
  });

  it('an expired key gets 401 from its expiry on', async () => {
    const end = Date.now() + DAY_MS;
    const { key, item } = await create({ expires_at: new Date(end).toISOString() });
    const state = async () => ((await admin.read('/keys')) as KeyList).items[0]?.state;
    now.at = end - 1;
    expect((await identify(api.app, key)).status).to.equal(200);
    expect(await state()).to.equal('active');
    now.at = end;
    expectProblem(await identify(api.app, key), 'key_expired');
    expect(await state()).to.equal('expired');
    const late = { name: 'Late', scopes: ['webhooks'], expires_at: new Date(end).toISOString() };
    expectProblem(await admin.call('post', '/keys', late), 'validation_failed');

    // Revoked takes precedence over expired, because an admin did it.
    await admin.call('post', `/keys/${item.key_id}/revoke`);
    expectProblem(await identify(api.app, key), 'key_revoked');
    expect(await state()).to.equal('revoked');
  });

  it('accepts the Bearer scheme in any case', async () => {
    const { key } = await create();
    const answer = await supertest(api.app)
      .get('/api/public/automation/me')
      .set('authorization', `bearer  ${key}`);
    expect(answer.status, answer.text).to.equal(200);
  });

  it('a key with a past expiry, no scope or no name is rejected', async () => {
    for (const wrong of [
      { expires_at: '2020-01-01T00:00:00Z' },
      { scopes: [] },
      { name: '' },
      { scopes: ['root'] },
      { expires_at: 'soon' },
    ]) {
      expectProblem(
        await admin.call('post', '/keys', { name: 'Bad', scopes: ['webhooks'], ...wrong }),
        'validation_failed',
      );
    }
  });

  it('a body with thousands of invalid scopes gets one error', async () => {
    const scopes = Array.from({ length: 8_000 }, () => 1);
    const answer = await admin.call('post', '/keys', { name: 'Zapier', scopes });
    expectProblem(answer, 'validation_failed');
    expect(answer.body.errors).to.deep.equal([
      { pointer: '/scopes', field: 'scopes', detail: 'Name each scope once.' },
    ]);
  });

  it('rejects all 1,000 requests on two replicas that start after a revocation', async () => {
    const { key, item } = await create();
    const ask = (i: number) => identify(api.replicas[i % 2]?.app as never, key);
    for (let i = 0; i < 4; i++) expect((await ask(i)).status).to.equal(200);
    // Constant traffic, so that anything that could be cached is cached.
    let revoked = false;
    const traffic = Array.from({ length: 4 }, async (_, sender) => {
      while (!revoked) await ask(sender);
    });
    const answer = await admin.call('post', `/keys/${item.key_id}/revoke`);
    const late = Array.from({ length: 1000 }, (_, i) => i);
    revoked = true;
    expect(answer.body).to.include({ state: 'revoked' });
    while (late.length > 0) {
      for (const one of await Promise.all(late.splice(0, 50).map(ask))) expectProblem(one, 'key_revoked');
    }
    await Promise.all(traffic);
  }).timeout(240_000);

  it('the full key is returned once and stored nowhere; revoking again changes nothing', async () => {
    const { key, item } = await create();
    const stored = JSON.stringify(await api.mongo.db.collection('api_keys').find().toArray());
    expect(stored).not.to.contain(key).and.not.to.contain(key.slice(16));
    const list = await admin.call('get', '/keys');
    expect(list.text).not.to.contain(key.slice(16));
    expect(list.body.items[0]).to.include({ key_id: item.key_id, prefix: key.slice(0, 15), state: 'active' });
    const first = await admin.call('post', `/keys/${item.key_id}/revoke`);
    const again = await admin.call('post', `/keys/${item.key_id}/revoke`);
    expect(again.body.revoked_at).to.equal(first.body.revoked_at);
    const made: AuditItem = (await admin.read('/audit?action=key.created')).items[0];
    expect(made).to.deep.include({
      target: { id: item.key_id, name: `Zapier (${item.prefix}…)` },
      detail: 'webhooks, read:leads',
    });
    const log = await admin.call('get', '/audit?action=key.revoked');
    const own = log.body.items.filter(({ target }: { target: { id: string } }) => target.id === item.key_id);
    expect(own).to.have.length(1);
    expect(log.text).not.to.contain(key.slice(16));
    expect(api.logLines.join('')).not.to.contain(key.slice(16));
  });

  it("another account's key is not visible", async () => {
    const { key, item } = await create();
    expectProblem(await stranger.call('post', `/keys/${item.key_id}/revoke`), 'not_found');
    expect((await stranger.read('/keys')).items).to.deep.equal([]);
    expect((await identify(api.app, key)).status).to.equal(200);
  });

  it('the last use is recorded without one write per use, and never overwritten by an earlier one', async () => {
    const { key, item } = await create();
    const before = Date.now();
    await Promise.all(Array.from({ length: 20 }, (_, i) => identify(api.replicas[i % 2]?.app as never, key)));
    const lastUse = async () => (await api.store.apiKeys.findApiKey(item.key_id))?.last_used_at ?? 0;
    await until(async () => (await lastUse()) >= before);
    const noted = await lastUse();
    const earlier = { at: noted - 5000, address: '192.0.2.1', route: 'GET /earlier' };
    await api.store.apiKeys.noteUses(new Map([[item.key_id, earlier]]));
    // The other replica may record a later use meanwhile. The value must never decrease.
    expect(await lastUse()).to.be.at.least(noted);
  });

  it('the list shows when, from where and for which route a key was last used, and its uses in 24 hours', async () => {
    const { key, item } = await create({ name: 'Reporting' });
    const read = async () =>
      ((await admin.read('/keys')) as KeyList).items.find(
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
      await supertest(api.replicas[i % 2]?.app as never)
        .get('/api/public/automation/me')
        .set('authorization', `Bearer ${key}`)
        .set('x-forwarded-for', '203.0.113.7')
        .expect(200);
    await until(async () => (await read()).uses_24h === 6);
    await until(async () => (await read()).last_used_at !== null);
    const { activity, last_used_at: at, last_used_from: from } = await read();
    expect(activity).to.have.length(24);
    expect(activity.reduce((sum, { uses }) => sum + uses, 0)).to.equal(6);
    expect(Date.parse(at as string)).to.be.within(before, Date.now());
    expect(from).to.deep.equal({ address: '203.0.113.7', route: 'GET /api/public/automation/me' });
  });

  it('the list shows how many clients used a key in 24 hours, across all replicas', async () => {
    const { key, item } = await create({ name: 'Shared' });
    const addresses = ['203.0.113.11', '203.0.113.12', '2001:db8::7'];
    for (let i = 0; i < 9; i++)
      await supertest(api.replicas[i % 2]?.app as never)
        .get('/api/public/automation/me')
        .set('authorization', `Bearer ${key}`)
        .set('x-forwarded-for', addresses[i % 3] as string)
        .expect(200);
    const { key: quiet, item: other } = await create({ name: 'Quiet' });
    expect((await identify(api.app, quiet)).status).to.equal(200);
    const seen = async () => {
      const { items } = (await admin.read('/keys')) as KeyList;
      const of = (id: string) => items.find(({ key_id }) => key_id === id) as KeyWithActivity;
      return [item.key_id, other.key_id].map((id) => [of(id).uses_24h, of(id).clients_24h]);
    };
    await until(async () => (await seen()).flat().join() === '9,3,1,1', { what: 'all are counted' });
    now.offset = 25 * HOUR_MS;
    expect((await seen())[0]).to.deep.equal([0, 0]);
  });

  it('rejected requests do not count as uses of a key', async () => {
    const { key, item } = await create();
    await admin.call('post', `/keys/${item.key_id}/revoke`);
    expectProblem(await identify(api.app, key), 'key_revoked');
    const { key: other, item: seen } = await create();
    expect((await identify(api.app, other)).status).to.equal(200);
    const uses = async (keyId: string) =>
      ((await admin.read('/keys')) as KeyList).items.find(({ key_id }) => key_id === keyId)?.uses_24h;
    // Counters are written in order, so the earlier one would be visible by now.
    await until(async () => (await uses(seen.key_id)) === 1);
    expect(await uses(item.key_id)).to.equal(0);
  });

  it('a revoked key is listed for 30 days, and its requests get key_revoked after that too', async () => {
    const { key, item } = await create();
    const { key: olderKey, item: older } = await create();
    await api.store.apiKeys.revokeApiKey(item.key_id, Date.now() - 29 * DAY_MS);
    await api.store.apiKeys.revokeApiKey(older.key_id, Date.now() - 31 * DAY_MS);
    const { items } = (await admin.read('/keys')) as KeyList;
    const listed = items.map(({ key_id }) => key_id);
    expect(listed).to.include(item.key_id).and.not.include(older.key_id);
    for (const one of [key, olderKey]) expectProblem(await identify(api.app, one), 'key_revoked');
  });

  it('each key has a rate limit, with the headers of the webhook', async () => {
    const limited = await startApi({ config: { KEY_RATE_PER_MINUTE: 3, KEY_RATE_BURST: 3 } });
    try {
      const owner = await limited.addPerson(await limited.addAccount(), 'owner');
      const make = async () =>
        (await owner.call('post', '/keys', { name: 'k', scopes: ['webhooks'] })).body.key as string;
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
    } finally {
      await limited.close();
    }
  });
});
