import { expect } from 'chai';
import {
  createClient,
  type RetryOptions,
  SluiceConnectionError,
  SluiceProblem,
  SluiceSecretLostError,
} from '#sdk';
import { use } from '../support/use.ts';
import type { Deed } from './support/front.ts';
import { serveApi } from './support/served-api.ts';

const QUICK: RetryOptions = { firstDelayMs: 1 };
const busyFor = (seconds: string) => ({ status: 429, headers: { 'Retry-After': seconds } });

describe('sdk: retries', function () {
  this.timeout(60_000);
  const served = use(serveApi);
  let apiKey: string;
  before(async () => {
    apiKey = await served.addKey(await served.api.addAccount());
  });
  beforeEach(() => {
    served.front.deeds = [];
    served.front.passed.length = 0;
  });
  const client = (options: { retry?: RetryOptions; timeoutMs?: number } = {}) =>
    createClient({ baseUrl: served.front.url, apiKey, retry: QUICK, ...options });
  const rejected = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error) => error,
    );

  for (const status of [429, 503])
    it(`waits for the seconds of Retry-After after ${status}, then succeeds`, async () => {
      served.front.deeds = [{ status, headers: { 'Retry-After': '1' } }];
      await client().leads.create({ name: 'Ada' });
      const [first, second] = served.front.passed;
      expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(990);
    });

  it('waits for a Retry-After that is a date', async () => {
    const at = Math.ceil(Date.now() / 1000) * 1000 + 1000;
    served.front.deeds = [{ status: 503, headers: { 'Retry-After': new Date(at).toUTCString() } }];
    await client().me();
    expect(served.front.passed[1]?.at).to.be.at.least(at - 10);
  });

  it('sends the same body and Idempotency-Key at each attempt of a POST, and another key for the next call', async () => {
    served.front.deeds = [{ status: 503 }, { status: 502 }];
    const sluice = client();
    await sluice.leads.create({ name: 'Ada' });
    await sluice.leads.create({ name: 'Ada' });
    const keys = served.front.passed.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.have.length(4);
    expect(keys[0]).to.be.a('string').with.length.above(20);
    expect([keys[1], keys[2]]).to.deep.equal([keys[0], keys[0]]);
    expect(keys[3]).to.not.equal(keys[0]);
    expect(new Set(served.front.passed.map(({ body }) => body)).size).to.equal(1);
  });

  it('makes one lead if the response to a POST is lost', async () => {
    served.front.deeds = ['lose'];
    const { id } = await client().leads.create({ name: 'Lost', external_id: 'lost-1' });
    expect(served.front.passed).to.have.length(2);
    const found = await client().leads.list({ q: 'Lost' }).toArray();
    expect(found.map((lead) => lead.id)).to.deep.equal([id]);
  });

  it('makes one lead if the response to a POST breaks in its body, and reads a list again', async () => {
    served.front.deeds = ['cut'];
    const { id } = await client().leads.create({ name: 'Broken' });
    served.front.deeds = ['cut'];
    const found = await client().leads.list({ q: 'Broken' }).toArray();
    expect(found.map((lead) => lead.id)).to.deep.equal([id]);
    expect(served.front.passed).to.have.length(4);
    served.front.deeds = ['cut', 'cut'];
    const error = await rejected(client({ retry: { ...QUICK, attempts: 2 } }).me());
    expect(error).to.be.instanceOf(SluiceConnectionError);
  });

  it('waits longer each time while an earlier attempt is in progress', async () => {
    served.front.deeds = Array(2).fill({ status: 409, headers: { 'Retry-After': '1' } });
    await client().leads.create({ name: 'Ada' });
    const [first, second, third] = served.front.passed.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).to.be.at.least(990);
    expect((third ?? 0) - (second ?? 0)).to.be.at.least(1990);
  });

  it('gives up after six attempts that meet an earlier one, and at once if it may not repeat', async () => {
    served.front.deeds = Array(9).fill({ status: 409, headers: { 'Retry-After': '0' } });
    expect(await rejected(client().leads.create({ name: 'Ada' }))).to.include({ status: 409 });
    expect(served.front.passed).to.have.length(6);
    await rejected(client({ retry: { attempts: 1 } }).leads.create({ name: 'Ada' }));
    expect(served.front.passed).to.have.length(7);
  });

  it('returns the secret of a webhook subscription also if the first response is lost', async () => {
    served.front.deeds = ['lose'];
    const wanted = { target_url: 'https://1.1.1.1/lost', events: ['lead.created'] };
    const { id, secret } = await client().webhooks.create(wanted);
    expect(served.front.passed).to.have.length(2);
    expect(secret).to.match(/^whsec_/);
    expect(await client().webhooks.create(wanted)).to.include({ id, secret });
  });

  it('throws if the response to a rotation is lost with the new secret, and returns that of the next one', async () => {
    const { webhooks } = client();
    const { id } = await webhooks.create({ target_url: 'https://1.1.1.1/rotated', events: ['lead.created'] });
    served.front.deeds = ['lose'];
    const error = await rejected(webhooks.rotateSecret(id, { overlap: 'none' }));
    expect(error).to.be.instanceOf(SluiceSecretLostError);
    expect((error as Error).message).to.include('Rotate it again');
    expect((await webhooks.rotateSecret(id, { overlap: 'none' })).secret).to.match(/^whsec_/);
  });

  for (const [what, deeds, problem, attempts] of [
    ['after four attempts', Array(9).fill({ status: 503 }), { status: 503, code: 'unexpected_response' }, 4],
    ['of a Retry-After above maxDelayMs', [busyFor('3600')], { status: 429, retryAfterSeconds: 3600 }, 1],
    ['of a Retry-After with a fraction, which it rounds up', [busyFor('40.5')], { retryAfterSeconds: 41 }, 1],
    ['of a request that is rejected', [], { status: 404 }, 1],
  ] as [string, Deed[], object, number][])
    it(`throws the problem ${what}`, async () => {
      served.front.deeds = deeds;
      const error = await rejected(client().leads.get('lead_1'));
      expect(error).to.be.instanceOf(SluiceProblem);
      expect(error).to.include(problem);
      expect(served.front.passed).to.have.length(attempts);
    });

  it('does not repeat a change with If-Match whose response is lost, because it would be rejected', async () => {
    const sluice = client();
    const { id } = await sluice.leads.create({ name: 'Ada' });
    served.front.deeds = ['lose'];
    const error = await rejected(sluice.leads.update(id, { note: 'x' }, { ifMatch: '"1"' }));
    expect(error).to.be.instanceOf(SluiceConnectionError);
    expect(served.front.passed).to.have.length(2);
  });

  it('throws a connection error with its cause if no attempt reaches the server', async () => {
    const lost = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey, retry: { ...QUICK, attempts: 2 } });
    const error = await rejected(lost.me());
    expect(error).to.be.instanceOf(SluiceConnectionError);
    expect(error).to.include({ timedOut: false });
    expect((error as Error).message).to.match(
      /^http:\/\/127\.0\.0\.1:9 could not be reached, after 2 attempts \(.+\)\.$/,
    );
    expect((error as Error).cause).to.be.instanceOf(Error);
  });

  it('ends an attempt after timeoutMs', async () => {
    served.front.deeds = ['never', 'never'];
    const error = await rejected(client({ timeoutMs: 50, retry: { ...QUICK, attempts: 2 } }).me());
    expect(error).to.be.instanceOf(SluiceConnectionError);
    expect(error).to.include({ timedOut: true });
  });

  it('ends at once when its signal aborts, also while it waits', async () => {
    served.front.deeds = [{ status: 503, headers: { 'Retry-After': '20' } }];
    const controller = new AbortController();
    const sluice = createClient({
      baseUrl: served.front.url,
      apiKey,
      fetch: async (request) => {
        const response = await fetch(request);
        setTimeout(() => controller.abort(new Error('enough')), 20);
        return response;
      },
    });
    const began = Date.now();
    const error = await rejected(sluice.leads.list({}, { signal: controller.signal }).toArray());
    expect((error as Error).message).to.equal('enough');
    expect(Date.now() - began).to.be.below(10_000);
  });
});
