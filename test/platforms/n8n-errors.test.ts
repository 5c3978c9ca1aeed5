import type { Scope } from '@sluice/contract/account/scopes';
import { expect } from 'chai';
import { serve } from '../support/serve.ts';
import { runSluice, SLUICE } from './support/run-node.ts';
import { useN8n } from './support/use-n8n.ts';

describe('n8n: what a user sees when Sluice rejects a step', function () {
  this.timeout(180_000);
  const at = useN8n();
  const credentialOf = (apiKey: string, baseUrl = at.sluice.apiUrl) =>
    at.editor.addCredential('sluiceApi', { baseUrl, apiKey });
  const withScopes = async (...scopes: Scope[]) => credentialOf(await at.account.addKey(scopes));

  /** The sentence of the API, for the same request. */
  async function sentenceOf(method: string, path: string, body?: object, key = at.key): Promise<string> {
    const response = await fetch(`${at.sluice.apiUrl}/api/public${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status).to.be.within(400, 499);
    return ((await response.json()) as { message: string }).message;
  }

  const create = (fields: object) => ({ resource: 'lead', operation: 'create', fields });

  it('shows the sentence of a 400, and the field', async () => {
    const { error } = await runSluice(at, create({ email: 'not an address' }));
    const sentence = await sentenceOf('POST', '/leads', { email: 'not an address' });
    expect(error?.message).to.equal(sentence.replace('named in errors', 'of the node'));
    expect(error?.description).to.match(/^email: /);
  });

  it('shows the sentence of a 401', async () => {
    const apiKey = `slc_live_${'x'.repeat(43)}`;
    const { error } = await runSluice(at, create({ name: 'Ada' }), { using: await credentialOf(apiKey) });
    expect(error?.message).to.equal(await sentenceOf('POST', '/leads', { name: 'Ada' }, apiKey));
  });

  it('shows the sentence of a 403, with the scope that is missing', async () => {
    const { error } = await runSluice(at, create({ name: 'Ada' }), { using: await withScopes('webhooks') });
    expect(error?.message).to.match(/write:leads/);
  });

  it('shows the sentence of a 404 and of a 409', async () => {
    const missing = await runSluice(at, { resource: 'lead', operation: 'get', leadId: 'lead_none' });
    expect(missing.error?.message).to.equal(await sentenceOf('GET', '/leads/lead_none'));
    const taken = { name: 'Ada', external_id: 'crm-1' };
    await at.account.call(at.key, 'POST', '/leads', taken);
    const { error } = await runSluice(at, create(taken));
    expect(error?.message).to.equal(await sentenceOf('POST', '/leads', taken));
  });

  it('says that an address redirects, and sends neither the key nor the event elsewhere', async () => {
    const elsewhere = await serve((_, response) => response.end('{}'));
    const redirecting = await serve((request, response) =>
      response.writeHead(301, { Location: elsewhere.url + request.url }).end(),
    );
    try {
      const using = await credentialOf(at.key, redirecting.url);
      const created = await runSluice(at, create({ name: 'Ada' }), { using });
      expect(created.error?.message).to.match(/^The base URL redirects to another address\./);
      const sourceApi = await at.editor.addCredential('sluiceSourceApi', {
        ...{ endpointUrl: redirecting.url, signingSecret: 'whsec_1' },
      });
      const event = { title: 'Reading', startsAt: '2027-05-01T10:00:00Z' };
      const sent = await runSluice(at, { resource: 'event', operation: 'upsert', ...event }, { sourceApi });
      expect(sent.error?.message).to.match(/^The endpoint URL redirects to another address\./);
      expect(redirecting.requests()).to.equal(2);
      expect(elsewhere.requests()).to.equal(0);
    } finally {
      await Promise.all([elsewhere.close(), redirecting.close()]);
    }
  });

  it('writes one lead when a step is tried again because its response was lost', async () => {
    const proxy = await startLossyProxy(at.sluice.apiUrl);
    try {
      const using = await credentialOf(at.key, proxy.url);
      const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
      const execution = await runSluice(at, create({ email: 'once@example.com' }), { using, settings });
      expect(execution.error?.message).to.equal(undefined);
      expect(proxy.requests()).to.equal(2);
      const { data } = await at.account.call<{ data: { id: string }[] }>(
        ...([at.key, 'GET', '/leads?email=once@example.com'] as const),
      );
      expect(data.map(({ id }) => id)).to.deep.equal([execution.items[SLUICE]?.[0]?.id]);
    } finally {
      await proxy.close();
    }
  });
});

/** Forwards requests, and closes the connection in place of the first response. */
async function startLossyProxy(target: string) {
  let requests = 0;
  return serve(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    const text = await answer.text();
    if (requests++ === 0) request.socket.destroy();
    else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
}
