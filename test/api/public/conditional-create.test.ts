import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: a create of a webhook subscription with If-Match', () => {
  const { api, accountId, keyOf, call } = usePublicApi(['webhooks']);
  let urls = 0;
  const newUrl = () => `https://1.1.1.1/hook/${++urls}`;
  const create = (target_url: string, ifMatch?: string, options: { as?: string } = {}) =>
    call('post', '/webhooks', {
      ...options,
      body: { target_url, events: ['lead.created'] },
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });
  const etagOf = async (id: string) => (await call('get', `/webhooks/${id}`)).headers.etag as string;
  const listed = async () => (await call('get', '/webhooks')).body.data as { target_url: string }[];

  it('returns the secret of the subscription that was read', async () => {
    const url = newUrl();
    const { id, secret } = (await create(url)).body;
    for (const ifMatch of [await etagOf(id), '*']) {
      const again = await create(url, ifMatch);
      expect(again.status, again.text).to.equal(200);
      expect(again.body).to.include({ id, secret });
    }
  });

  it('revives none that was deleted meanwhile', async () => {
    const url = newUrl();
    const { id } = (await create(url)).body;
    const etag = await etagOf(id);
    await call('delete', `/webhooks/${id}`);
    for (const ifMatch of [etag, '*']) expectProblem(await create(url, ifMatch), 'changed_meanwhile');
    expect((await listed()).map(({ target_url }) => target_url)).to.not.include(url);
  });

  it('does not change one that was changed meanwhile', async () => {
    const url = newUrl();
    const { id } = (await create(url)).body;
    const etag = await etagOf(id);
    await call('patch', `/webhooks/${id}`, { body: { events: ['*'] } });
    expectProblem(await create(url, etag), 'changed_meanwhile');
    expect((await call('get', `/webhooks/${id}`)).body.events).to.deep.equal(['*']);
  });

  it('creates nothing, and takes no subscription over from another key', async () => {
    expectProblem(await create(newUrl(), '*'), 'changed_meanwhile');
    const url = newUrl();
    const { id } = (await create(url)).body;
    const as = await keyOf(['webhooks']);
    for (const ifMatch of [await etagOf(id), '*'])
      expectProblem(await create(url, ifMatch, { as }), 'changed_meanwhile');
    expect((await call('get', `/webhooks/${id}`)).status).to.equal(200);
  });

  it('is not shown as a rejected client, because the client asks again', async () => {
    await create(newUrl(), '*');
    await create('https://10.0.0.1/');
    const refused = await api().store.refusedSubscriptions.listRefused(accountId());
    expect(refused.map(({ code }) => code)).to.not.include('changed_meanwhile');
  });
});
