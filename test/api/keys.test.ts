import { DAY_MS } from '@sluice/contract/time/durations';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import type { KeyList } from '@sluice/dashboard-api/keys';
import { expect } from 'chai';
import supertest from 'supertest';
import { identify } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { sized } from '../support/size.ts';
import { useKeys } from './support/use-keys.ts';

/** Requests that start after a revocation. */
const LATE = sized({ short: 50, long: 1000 });

describe('api: keys and the identity check', () => {
  const { now, api, admin, stranger, create } = useKeys();

  it('returns the account and the key for any live key', async () => {
    const { key, item } = await create({ scopes: ['webhooks'] });
    const answer = await identify(api().app, key);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.equal({
      account: { id: admin().me.account.account_id, name: 'Acme' },
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
    expectProblem(await supertest(api().app).get('/api/public/automation/me'), 'key_missing');
    const basic = supertest(api().app).get('/api/public/automation/me').set('authorization', 'Basic abc');
    expectProblem(await basic, 'key_missing');
    const { key } = await create();
    const typo = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
    for (const wrong of ['nonsense', `${key}x`, typo, key.toUpperCase()]) {
      const answer = await identify(api().app, wrong);
      expectProblem(answer, 'key_invalid');
      expect(answer.headers['www-authenticate']).to.match(/^Bearer/);
      expect(answer.text).not.to.contain(wrong);
    }
  });

  it('an expired key gets 401 from its expiry on', async () => {
    const end = Date.now() + DAY_MS;
    const { key, item } = await create({ expires_at: new Date(end).toISOString() });
    const state = async () => ((await admin().read('/keys')) as KeyList).items[0]?.state;
    now.at = end - 1;
    expect((await identify(api().app, key)).status).to.equal(200);
    expect(await state()).to.equal('active');
    now.at = end;
    expectProblem(await identify(api().app, key), 'key_expired');
    expect(await state()).to.equal('expired');
    const late = { name: 'Late', scopes: ['webhooks'], expires_at: new Date(end).toISOString() };
    expectProblem(await admin().call('post', '/keys', late), 'validation_failed');

    // Revoked takes precedence over expired, because an admin did it.
    await admin().call('post', `/keys/${item.key_id}/revoke`);
    expectProblem(await identify(api().app, key), 'key_revoked');
    expect(await state()).to.equal('revoked');
  });

  it('accepts the Bearer scheme in any case', async () => {
    const { key } = await create();
    const answer = await supertest(api().app)
      .get('/api/public/automation/me')
      .set('authorization', `bearer  ${key}`);
    expect(answer.status, answer.text).to.equal(200);
  });

  it('a body with hundreds of invalid scopes gets one error', async () => {
    const scopes = Array.from({ length: 900 }, () => 1);
    const answer = await admin().call('post', '/keys', { name: 'Zapier', scopes });
    expectProblem(answer, 'validation_failed');
    expect(answer.body.errors).to.deep.equal([
      { pointer: '/scopes', field: 'scopes', detail: 'Name each scope once.' },
    ]);
  });

  it('rejects every request on two replicas that starts after a revocation', async () => {
    const { key, item } = await create();
    const ask = (i: number) => identify(api().replicas[i % 2]?.app as never, key);
    for (let i = 0; i < 4; i++) expect((await ask(i)).status).to.equal(200);
    // Constant traffic, so that anything that could be cached is cached.
    let revoked = false;
    const traffic = Array.from({ length: 4 }, async (_, sender) => {
      while (!revoked) await ask(sender);
    });
    const answer = await admin().call('post', `/keys/${item.key_id}/revoke`);
    const late = Array.from({ length: LATE }, (_, i) => i);
    revoked = true;
    expect(answer.body).to.include({ state: 'revoked' });
    while (late.length > 0) {
      for (const one of await Promise.all(late.splice(0, 50).map(ask))) expectProblem(one, 'key_revoked');
    }
    await Promise.all(traffic);
  });

  it('the full key is returned once and stored nowhere; revoking again changes nothing', async () => {
    const { key, item } = await create();
    const stored = JSON.stringify(await api().mongo.db.collection('api_keys').find().toArray());
    expect(stored).not.to.contain(key).and.not.to.contain(key.slice(16));
    const list = await admin().call('get', '/keys');
    expect(list.text).not.to.contain(key.slice(16));
    expect(list.body.items[0]).to.include({ key_id: item.key_id, prefix: key.slice(0, 15), state: 'active' });
    const first = await admin().call('post', `/keys/${item.key_id}/revoke`);
    const again = await admin().call('post', `/keys/${item.key_id}/revoke`);
    expect(again.body.revoked_at).to.equal(first.body.revoked_at);
    const made: AuditItem = (await admin().read('/audit?action=key.created')).items[0];
    expect(made).to.deep.include({
      target: { id: item.key_id, name: `Zapier (${item.prefix}…)` },
      detail: 'webhooks, read:leads',
    });
    const log = await admin().call('get', '/audit?action=key.revoked');
    const own = log.body.items.filter(({ target }: { target: { id: string } }) => target.id === item.key_id);
    expect(own).to.have.length(1);
    expect(log.text).not.to.contain(key.slice(16));
    expect(api().logLines.join('')).not.to.contain(key.slice(16));
  });

  it('a renamed key still works, and the audit log has both names', async () => {
    const { key, item } = await create();
    const renamed = await admin().call('patch', `/keys/${item.key_id}`, { name: ' Make ' });
    expect(renamed.body, renamed.text).to.include({ key_id: item.key_id, name: 'Make', state: 'active' });
    expect((await identify(api().app, key)).body.key.name).to.equal('Make');
    await admin().call('patch', `/keys/${item.key_id}`, { name: 'Make' });
    const { items } = (await admin().read('/audit?action=key.renamed')) as { items: AuditItem[] };
    expect(items.map(({ target, detail }) => [target.name, detail])).to.deep.equal([
      [`Make (${item.prefix}…)`, 'was “Zapier”'],
    ]);
    expectProblem(await stranger().call('patch', `/keys/${item.key_id}`, { name: 'Mine' }), 'not_found');
  });

  it('a revoked key is listed for 30 days, and its requests get key_revoked after that too', async () => {
    const { key, item } = await create();
    const { key: olderKey, item: older } = await create();
    await api().store.apiKeys.revokeApiKey(item.key_id, Date.now() - 29 * DAY_MS);
    await api().store.apiKeys.revokeApiKey(older.key_id, Date.now() - 31 * DAY_MS);
    const { items } = (await admin().read('/keys')) as KeyList;
    const listed = items.map(({ key_id }) => key_id);
    expect(listed).to.include(item.key_id).and.not.include(older.key_id);
    for (const one of [key, olderKey]) expectProblem(await identify(api().app, one), 'key_revoked');
  });
});
