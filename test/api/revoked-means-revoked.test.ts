import { createAccount } from '@sluice/accounts/account/create-account';
import { createOwnerLink } from '@sluice/accounts/people/create-link';
import { IDENTITY_PATH } from '@sluice/contract/api/public-api';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { PASSWORD, SECRET_KEY } from '../support/api.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUntilTaken } from '../support/post.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { signed, upsertBody } from '../support/signed.ts';

const TRIES = 1000;
const AT_A_TIME = 20;

/** Two ingress and two API processes: a change confirmed on one applies to all. */
describe('guarantee 4 in the dashboard: revoked means revoked', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  let apis: ServiceProcess[] = [];
  let urls: string[] = [];
  let cookie: string;
  before(async () => {
    const env = {
      SLUICE_SECRET_KEY: SECRET_KEY.toString('base64'),
      RATE_LIMIT_PER_SECOND: '1000000',
      KEY_RATE_PER_MINUTE: '1000000',
      KEY_RATE_BURST: '1000000',
    };
    pipeline = await startPipeline({ ingress: 2, env });
    const stores = {
      REDIS_URL: pipeline.redis.url,
      MONGO_URL: pipeline.mongo?.url ?? (process.env.MONGO_URL as string),
      SLUICE_NAMESPACE: pipeline.namespace,
    };
    apis = [1, 2].map(() => startService('api', { ...env, ...stores }));
    await Promise.all(apis.map((api) => api.ready()));
    urls = await Promise.all(apis.map(async (api) => (await api.logged('api.listening')).url as string));
    cookie = await signInAsOwner();
  });
  after(async () => {
    await Promise.all(apis.map((api) => api.kill('SIGKILL')));
    await pipeline?.stop();
  });

  async function signInAsOwner(): Promise<string> {
    const { accounts, links, memberships } = pipeline.store;
    const deps = { accounts, links, memberships, plans: new Map([['unlimited', null]]), now: Date.now };
    const account = await createAccount(deps, { name: 'Acme' });
    if (account.status !== 'created') throw new Error(account.status);
    const link = await createOwnerLink(deps, account.account.account_id);
    if (link.status !== 'created') throw new Error(link.status);
    const body = { token: link.token, name: 'Ada', email: 'ada@example.com', password: PASSWORD };
    const answer = await send('POST', '/welcome', body, 1);
    return (answer.headers.get('set-cookie') as string).split(';')[0] as string;
  }

  const send = (method: string, path: string, body: object = {}, replica = 0) =>
    fetch(urls[replica] + DASHBOARD_API + path, {
      method,
      headers: { 'content-type': 'application/json', cookie: cookie ?? '' },
      body: JSON.stringify(body),
    });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
  const call = async (...args: Parameters<typeof send>): Promise<any> => (await send(...args)).json();

  /** Counts the responses to requests that all start from now on, by status. */
  async function count(ask: (i: number) => Promise<number>): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    let next = 0;
    const sender = async () => {
      for (let i = next++; i < TRIES; i = next++) {
        const status = await ask(i);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sender));
    return counts;
  }

  const addSource = async () => {
    const { source, signing_secret } = await call('POST', '/sources', { name: 'Booking' });
    const ask = async (secret: string, i: number) => {
      const url = `${pipeline.urls[i % 2]}/api/v1/events/webhook/${source.source_id}`;
      return (await postUntilTaken(url, signed({ secret, body: upsertBody() }))).status;
    };
    for (let i = 0; i < 4; i++) expect(await ask(signing_secret, i)).to.equal(200);
    return { id: source.source_id as string, secret: signing_secret as string, ask };
  };

  it('a revoked key: rejects all 1,000 requests that start after the confirmation', async () => {
    const { key, item } = await call('POST', '/keys', { name: 'Zapier', scopes: ['webhooks'] });
    const ask = async (i: number) =>
      (await fetch(urls[i % 2] + IDENTITY_PATH, { headers: { authorization: `Bearer ${key}` } })).status;
    for (let i = 0; i < 4; i++) expect(await ask(i)).to.equal(200);
    expect((await call('POST', `/keys/${item.key_id}/revoke`)).state).to.equal('revoked');
    expect(await count(ask)).to.deep.equal({ 401: TRIES });
  });

  it('a rotated secret: rejects every request with the old one, accepts every request with the new one', async () => {
    const { id, secret, ask } = await addSource();
    const prepared = await call('POST', `/sources/${id}/secret/prepare-rotation`);
    for (let i = 0; i < 4; i++) {
      expect(await ask(secret, i)).to.equal(200);
      expect(await ask(prepared.signing_secret, i)).to.equal(401);
    }
    // Prepared on one replica, confirmed on the other.
    const body = { rotation_token: prepared.rotation_token };
    expect((await send('POST', `/sources/${id}/secret/confirm-rotation`, body, 1)).status).to.equal(200);
    expect(await count((i) => ask(secret, i))).to.deep.equal({ 401: TRIES });
    expect(await count((i) => ask(prepared.signing_secret, i))).to.deep.equal({ 200: TRIES });
  });

  it('an inactive source: rejects every request, and accepts every request once it is active again', async () => {
    const { id, secret, ask } = await addSource();
    expect((await call('PUT', `/sources/${id}/active`, { active: false })).active).to.equal(false);
    expect(await count((i) => ask(secret, i))).to.deep.equal({ 403: TRIES });
    expect((await send('PUT', `/sources/${id}/active`, { active: true }, 1)).status).to.equal(200);
    expect(await count((i) => ask(secret, i))).to.deep.equal({ 200: TRIES });
  });

  it('an ended session: the next request on either replica is signed out', async () => {
    expect((await send('DELETE', '/session')).status).to.equal(204);
    for (const url of urls) {
      const answer = await fetch(`${url}${DASHBOARD_API}/session`, { headers: { cookie } });
      expect(answer.status).to.equal(401);
    }
  });

  it('an API server that stops ends its streams and exits promptly', async () => {
    const answer = await send('POST', '/session', { email: 'ada@example.com', password: PASSWORD }, 0);
    cookie = (answer.headers.get('set-cookie') as string).split(';')[0] as string;
    const { key } = await call('POST', '/keys', { name: 'Listening', scopes: ['webhooks', 'read:leads'] });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const streams = `${urls[0]}/api/public/webhooks/streams`;
    const body = JSON.stringify({ events: ['lead.created'] });
    const { id } = (await (await fetch(streams, { method: 'POST', headers, body })).json()) as { id: string };
    const stream = await fetch(`${urls[0]}/api/public/webhooks/${id}/stream`, { headers });
    const ended = stream.text();
    await apis[0]?.kill('SIGTERM');
    expect(await ended).to.contain('retry:');
    expect(apis[0]?.ended()).to.equal(0);
  });
});
