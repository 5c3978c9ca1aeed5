import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { serve } from '../support/serve.ts';
import { useN8n } from './support/use-n8n.ts';

interface Tested {
  readonly status: 'OK' | 'Error';
  readonly message: string;
}

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==';

describe('n8n: the test of a credential', function () {
  this.timeout(180_000);
  const at = useN8n();
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });

  /** Tests a credential before it is saved. */
  const test = (type: string, data: object) =>
    at.n8n.rest<Tested>('POST', '/credentials/test', { credentials: { id: '', name: 'Test', type, data } });
  const testKey = (baseUrl: string, apiKey = at.key) => test('sluiceApi', { baseUrl, apiKey });
  const testSource = (endpointUrl: string, signingSecret = SECRET) =>
    test('sluiceSourceApi', { endpointUrl, signingSecret });

  async function serving(respond: RequestListener) {
    const server = await serve(respond);
    stops.push(server.close);
    return server;
  }
  const json = (body: unknown) =>
    serving((_, response) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body)),
    );

  it('succeeds at an API server with a key that is live, and with a slash at the end of the URL', async () => {
    for (const end of ['', '/']) expect(await testKey(at.sluice.apiUrl + end)).to.include({ status: 'OK' });
    const wrong = await testKey(at.sluice.apiUrl, 'slc_live_wrong');
    expect(wrong).to.include({ status: 'Error' });
    expect(wrong.message).to.match(/^The API key is wrong, revoked or expired\./);
  });

  it('succeeds at a source with its secret, and says that another secret is wrong', async () => {
    const { source } = at.account;
    const endpointUrl = at.sluice.pipeline.urls[0] + source.path;
    expect(await testSource(endpointUrl, source.secret)).to.include({ status: 'OK' });
    const wrong = await testSource(endpointUrl, 'whsec_wrong');
    expect(wrong).to.include({ status: 'Error' });
    expect(wrong.message).to.match(/signing secret is wrong/);
  });

  it('fails at a page, and at a service that is not Sluice, although they respond with 200', async () => {
    const page = await serving((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><h1>Sign in</h1>'),
    );
    const empty = await serving((_, response) => response.end());
    const others = await Promise.all([{}, { account: { id: '1' } }, { ok: true, code: 'x' }, null].map(json));
    for (const { url } of [page, empty, ...others]) {
      const tested = await testKey(url);
      expect(tested).to.include({ status: 'Error' });
      expect(tested.message).to.match(/^No Sluice API server responds at this base URL\./);
      const source = await testSource(url);
      expect(source).to.include({ status: 'Error' });
      expect(source.message).to.match(/^No Sluice source confirmed the secret\./);
    }
  });
});
