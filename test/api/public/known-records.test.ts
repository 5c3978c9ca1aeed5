import { expect } from 'chai';
import supertest from 'supertest';
import { addKey } from '../../support/api-processes.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { expectDocumented } from '../../support/openapi.ts';
import { usePublicApi } from '../support/use-public-api.ts';
import { URL_1 } from '../support/use-webhooks.ts';

const BASE = 'http://localhost:8081/api/public';

describe('api: headers of records in the public API', () => {
  const { api, accountId, call } = usePublicApi(['read:leads', 'write:leads', 'webhooks']);
  const addLead = async () => (await call('post', '/leads', { body: { name: 'Ada' } })).body.id as string;
  const addWebhook = async () =>
    (await call('post', '/webhooks', { body: { url: URL_1, event: 'lead.created' } })).body.id as string;
  const head = async (path: string) => {
    const key = await addKey(api(), accountId(), ['read:leads', 'webhooks']);
    return supertest(api().app).head(`/api/public${path}`).set('authorization', `Bearer ${key}`);
  };

  it('a 201 has the URL of the new record in Location, also when it is repeated', async () => {
    for (const [path, body] of [
      ['/leads', { name: 'Ada' }],
      ['/webhooks', { url: `${URL_1}/located`, event: 'lead.created' }],
      ['/webhooks/streams', {}],
    ] as const) {
      const once = { body, headers: { 'idempotency-key': 'located' } };
      const made = await call('post', path, once);
      expect(made.status, made.text).to.equal(201);
      const [records = ''] = path.split('/streams');
      expect(made.headers.location).to.equal(`${BASE}${records}/${made.body.id}`);
      expect((await call('get', `${records}/${made.body.id}`)).status).to.equal(200);
      expect((await call('post', path, once)).headers.location).to.equal(made.headers.location);
    }
  });

  it('a 200 of a create has no Location, because nothing is new', async () => {
    const body = { email: 'ada@example.com' };
    await call('post', '/leads?match_on=email', { body });
    const found = await call('post', '/leads?match_on=email', { body });
    expect(found.status, found.text).to.equal(200);
    expect(found.headers).not.to.have.property('location');
  });

  it('a record that the client has already is a 304 without a body, until it changes', async () => {
    for (const [operation, path, change] of [
      ['getLead', `/leads/${await addLead()}`, { company: 'Engines' }],
      ['getWebhook', `/webhooks/${await addWebhook()}`, { name: 'Leads' }],
    ] as const) {
      const etag = (await call('get', path)).headers.etag as string;
      const ask = (tags: string) => call('get', path, { headers: { 'if-none-match': tags } });
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const known = await ask(tags);
        expect(known.status, tags).to.equal(304);
        expect(known.text).to.equal('');
        expect(known.headers.etag).to.equal(etag);
        expectDocumented(operation, { status: 304, contentType: undefined, body: undefined });
      }
      // A version that shows another field has another tag for the same revision.
      const [revision] = etag.split('-');
      for (const tags of ['"other"', etag.slice(1, -1), '', `${revision}"`, `${revision}-00000000"`])
        expect((await ask(tags)).status, tags).to.equal(200);
      await call('patch', path, { body: change });
      expect((await ask(etag)).status).to.equal(200);
    }
  });

  it('If-Match accepts the tag of any shape, and the weak one that a proxy makes of it', async () => {
    const path = `/leads/${await addLead()}`;
    for (const tagOf of [
      (etag: string) => etag,
      (etag: string) => `W/${etag}`,
      (etag: string) => `${etag.split('-')[0]}-00000000"`,
      (etag: string) => `${etag.split('-')[0]}"`,
    ]) {
      const { etag = '' } = (await call('get', path)).headers;
      const change = (company: string) =>
        call('patch', path, { body: { company }, headers: { 'if-match': tagOf(etag) } });
      expect((await change(`With ${tagOf(etag)}`)).status).to.equal(200);
      expectProblem(await change('Late'), 'changed_meanwhile');
    }
  });

  it('If-None-Match changes no write', async () => {
    const path = `/leads/${await addLead()}`;
    const written = await call('patch', path, { body: { company: 'A' }, headers: { 'if-none-match': '*' } });
    expect(written.body).to.include({ company: 'A' });
  });

  it('HEAD is GET without its body, and Allow names both', async () => {
    const path = `/leads/${await addLead()}`;
    const found = await head(path);
    expect(found.status).to.equal(200);
    expect(found.headers.etag).to.equal((await call('get', path)).headers.etag);
    const rejected = await call('delete', path);
    expectProblem(rejected, 'method_not_allowed');
    expect(rejected.headers.allow).to.equal('GET, HEAD, PATCH');
  });

  it('HEAD of a stream is rejected, because the stream would have no end', async () => {
    const { id } = (await call('post', '/webhooks/streams', { body: {} })).body;
    const rejected = await head(`/webhooks/${id}/stream`);
    expect(rejected.status).to.equal(405);
    expect(rejected.headers.allow).to.equal('GET');
  });
});
