import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { until } from '../../support/until.ts';
import { URL_1, useWebhooks } from '../support/use-webhooks.ts';

describe('api: webhook subscriptions of the public API', () => {
  const { api, accountId, keyOf, call, subscribe } = useWebhooks();

  it('creates, finds, changes, rotates and deletes a subscription', async () => {
    const made = await subscribe({ name: 'Leads', client: { platform: 'n8n' } });
    expect(made.status, made.text).to.equal(201);
    const { id, secret } = made.body;
    expect(made.body).to.include({ target_url: URL_1, status: 'active', reason: null, ephemeral: false });
    expect(made.body).not.to.have.property('expiration_date');
    expect(secret).to.match(/^whsec_/);
    const again = await subscribe();
    expect(again.status).to.equal(200);
    expect(again.body).to.include({ id, secret, name: 'Leads' });

    const read = await call('get', `/${id}`);
    expect(read.body).not.to.have.property('secret');
    expect(
      (await call('get', `?url=${encodeURIComponent('HTTPS://1.1.1.1:443/hook')}`)).body.data,
    ).to.deep.equal([read.body]);
    expect((await call('get', '')).body).to.deep.include({ data: [read.body], has_more: false });

    const etag = read.headers.etag as string;
    const paused = await call('patch', `/${id}`, { body: { active: false }, headers: { 'if-match': etag } });
    expect(paused.body).to.include({ status: 'paused', reason: 'by_client' });
    expect((await call('get', `/${id}`)).status).to.equal(200);
    const stale = { body: { active: true }, headers: { 'if-match': etag } };
    expectProblem(await call('patch', `/${id}`, stale), 'changed_meanwhile');
    const { target_url, events } = read.body;
    const staleCreate = { body: { target_url, events }, headers: { 'if-match': etag } };
    expectProblem(await call('post', '', staleCreate), 'changed_meanwhile');
    expect((await call('get', `/${id}`)).body).to.include({ status: 'paused', reason: 'by_client' });
    const rotated = await call('post', `/${id}/rotate-secret`, { body: { overlap: '1h' } });
    expect(rotated.status, rotated.text).to.equal(200);
    expect(rotated.body.secret).not.to.equal(secret);

    expect((await call('delete', `/${id}`)).status).to.equal(204);
    expectProblem(await call('get', `/${id}`), 'not_found');
    expect((await call('get', '')).body.data).to.deep.equal([]);
    const revived = await subscribe();
    expect(revived.status).to.equal(201);
    expect(revived.body.id).to.equal(id);
    expect((await call('delete', `?url=${encodeURIComponent(URL_1)}`)).status).to.equal(204);
    expectProblem(await call('get', `/${id}`), 'not_found');
  });

  it("a key neither sees nor changes another key's subscription, and its DELETE answers 204 without effect", async () => {
    const { id } = (await subscribe()).body;
    for (const as of [await keyOf(['webhooks']), await keyOf(['webhooks'], await api().addAccount())]) {
      expectProblem(await call('get', `/${id}`, { as }), 'not_found');
      expectProblem(await call('patch', `/${id}`, { as, body: { name: 'Mine' } }), 'not_found');
      expectProblem(await call('post', `/${id}/rotate-secret`, { as, body: {} }), 'not_found');
      expect((await call('get', '', { as })).body.data).to.deep.equal([]);
      expect((await call('get', `?url=${encodeURIComponent(URL_1)}`, { as })).body.data).to.deep.equal([]);
      expect((await call('delete', `/${id}`, { as })).status).to.equal(204);
      expect((await call('delete', `?url=${encodeURIComponent(URL_1)}`, { as })).status).to.equal(204);
    }
    expect((await call('get', `/${id}`)).body).to.include({ status: 'active' });
  });

  for (const name of ['target_url', 'url', 'targetUrl', 'hookUrl'])
    it(`names ${name} where the URL in it is rejected`, async () => {
      const body = { [name]: 'https://user:word@1.1.1.1/', events: ['lead.created'] };
      const rejected = await call('post', '', { body });
      expectProblem(rejected, 'validation_failed');
      expect(rejected.body.errors[0]).to.include({ pointer: `/${name}`, field: name });
    });

  it('DELETE answers 204 for an id that never was, and for a text that is no URL', async () => {
    expect((await call('delete', '/sub_none')).status).to.equal(204);
    expect((await call('delete', '?url=none&_=1')).status).to.equal(204);
  });

  it('guarantee 10: the response to a revoke says that nothing more leaves for the key', async () => {
    const owner = await api().addPerson(accountId(), 'owner');
    const { body: made } = await owner.call('post', '/keys', { name: 'n8n', scopes: ['webhooks'] });
    const { body: subscription } = await subscribe({}, made.key);
    expect((await owner.call('post', `/keys/${made.item.key_id}/revoke`)).status).to.equal(200);
    const [kept] = await api().deps.subscriptions.listSubscriptions(accountId());
    expect(kept).to.deep.include({ subscription_id: subscription.id });
    expect(kept?.paused?.reason).to.equal('key_revoked');
  });

  for (const [what, target_url] of [
    ['a private address', 'https://10.0.0.1/hook'],
    ['the metadata address of a cloud', 'https://169.254.169.254/hook'],
    ['plain http', 'http://1.1.1.1/hook'],
    ['credentials', 'https://user:pass@1.1.1.1/hook'],
    ['a fragment', 'https://1.1.1.1/hook#a'],
  ] as const)
    it(`rejects a URL with ${what}, at create and at change`, async () => {
      const refused = await subscribe({ target_url });
      expectProblem(refused, 'validation_failed');
      expect(refused.body.errors[0].field).to.equal('target_url');
      const { id } = (await subscribe()).body;
      expectProblem(await call('patch', `/${id}`, { body: { target_url } }), 'validation_failed');
    });

  it('names the filter by a source, channel or stage that the account does not have, and the list of them', async () => {
    const { id } = (await subscribe()).body;
    for (const [field, path] of [
      ['source_id', 'sources'],
      ['channel_id', 'channels'],
      ['stage', 'pipeline-stages'],
    ] as const) {
      const filter = { [field]: 'none' };
      const bodies = [
        await subscribe({ filter, target_url: `${URL_1}/none` }),
        await call('post', '/streams', { body: { filter } }),
        await call('patch', `/${id}`, { body: { filter } }),
      ];
      for (const rejected of bodies) {
        expectProblem(rejected, 'validation_failed');
        expect(rejected.body.errors[0].pointer).to.equal(`/filter/${field}`);
        expect(rejected.body.message).to.contain(`GET /api/public/${path}`);
      }
    }
  });

  it('an Idempotency-Key repeats the answer without the secret', async () => {
    const once = { body: { url: URL_1, event: 'lead.created' }, headers: { 'idempotency-key': 'a' } };
    const first = await call('post', '', once);
    const again = await call('post', '', once);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.status).to.equal(201);
    const { secret: _, ...rest } = first.body;
    expect(again.body).to.deep.equal(rest);
  });

  it('an Idempotency-Key repeats nothing of a subscription that the key no longer reaches', async () => {
    const once = { body: { url: URL_1, event: 'lead.created' }, headers: { 'idempotency-key': 'created' } };
    const { id } = (await call('post', '', once)).body;
    const rotation = { body: {}, headers: { 'idempotency-key': 'rotated' } };
    expect((await call('post', `/${id}/rotate-secret`, rotation)).status).to.equal(200);
    const since = new Date().toISOString();
    const recovery = { body: { since }, headers: { 'idempotency-key': 'recovered' } };
    expect((await call('post', `/${id}/recover`, recovery)).status).to.equal(200);
    const other = await keyOf(['webhooks']);
    expect(
      (await subscribe({ name: 'Of another key', filter: { stage: 'stg_won' } }, other)).body.id,
    ).to.equal(id);
    expectProblem(await call('post', '', once), 'not_found');
    expectProblem(await call('post', `/${id}/rotate-secret`, rotation), 'not_found');
    expectProblem(await call('post', `/${id}/recover`, recovery), 'not_found');
    expect((await subscribe()).body.id).to.equal(id);
    expect((await call('post', '', once)).status).to.equal(201);
    expect((await call('delete', `/${id}`)).status).to.equal(204);
    expectProblem(await call('post', '', once), 'not_found');
  });

  it('keeps rejected creates for the dashboard, with how often and why, until one succeeds', async () => {
    const refusedOf = () => api().store.refusedSubscriptions.listRefused(accountId());
    const poor = await keyOf(['read:leads']);
    for (let attempt = 0; attempt < 5; attempt++)
      expectProblem(await subscribe({}, poor).set('user-agent', 'n8n/2.41'), 'scope_missing');
    await subscribe({ target_url: 'https://10.0.0.1/' });
    await subscribe({ events: ['lead.craeted'] });
    await until(
      async () => (await refusedOf()).length === 3 && (await refusedOf()).some((one) => one.count === 5),
    );
    const refused = await refusedOf();
    const [scope] = refused.filter(({ code }) => code === 'scope_missing');
    expect(scope).to.include({ client: 'n8n/2.41', target_url: null });
    expect(scope?.detail).to.contain('webhooks');
    expect(refused.map(({ target_url }) => target_url)).to.have.members([null, 'https://10.0.0.1/', URL_1]);
    await subscribe();
    expect((await refusedOf()).map(({ target_url }) => target_url)).to.have.members([
      null,
      'https://10.0.0.1/',
    ]);
  });

  it('a change of URL to that of another subscription is rejected', async () => {
    await subscribe();
    const { id } = (await subscribe({ target_url: `${URL_1}/2` })).body;
    expectProblem(await call('patch', `/${id}`, { body: { target_url: URL_1 } }), 'target_url_taken');
  });

  it('writes each change into the audit log, with the host of the URL and never its path', async () => {
    const { id } = (await subscribe({ target_url: 'https://1.1.1.1/s3cret' })).body;
    await subscribe({ target_url: 'https://1.1.1.1/s3cret' });
    await call('delete', `/${id}`);
    const { items } = await api().store.auditLog.pageEntries({ account_id: accountId(), limit: 10 });
    expect(items.map(({ action }) => action)).to.deep.equal(['webhook.deleted', 'webhook.created']);
    expect(JSON.stringify(items)).to.contain('1.1.1.1').and.not.contain('s3cret');
  });
});
