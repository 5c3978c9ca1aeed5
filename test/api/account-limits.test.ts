import { createKey } from '@sluice/accounts/keys/create-key';
import { createInvite } from '@sluice/accounts/people/create-link';
import { createChannel } from '@sluice/accounts/sources/create-channel';
import { createSource } from '@sluice/accounts/sources/create-source';
import { createBinder } from '@sluice/api/http/bind';
import { done } from '@sluice/api/http/result';
import type { SignedIn } from '@sluice/api/http/signed-in';
import { createObserver } from '@sluice/api/observe';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import express from 'express';
import supertest from 'supertest';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { callPublic, newKey } from './support/public-caller.ts';

describe('api: limits of an account', function () {
  this.timeout(60_000);

  describe('as a whole', () => {
    let api: TestApi;
    let accountId: string;
    let owner: Person;
    before(async () => {
      api = await startApi({ config: { KEY_RATE_PER_MINUTE: 1, KEY_RATE_BURST: 2 } });
      accountId = await api.addAccount();
      owner = await api.addPerson(accountId, 'owner');
    });
    after(() => api?.close());

    it('a dashboard makes at most 200 keys, sources and channels, and 100 open invitations', async () => {
      const { deps } = api;
      const name = 'One of many';
      const makes: readonly [limit: number, path: string, body: object, make: () => Promise<unknown>][] = [
        [
          200,
          '/keys',
          { name, scopes: ['webhooks'] },
          () => createKey(deps, { accountId, name, scopes: [], expiresAt: null }),
        ],
        [200, '/sources', { name }, () => createSource(deps, { accountId, name })],
        [200, '/channels', { name }, () => createChannel(deps, { accountId, name })],
        [
          100,
          '/members/invites',
          { role: 'viewer' },
          () => createInvite(deps, { accountId, role: 'viewer', email: null }),
        ],
      ];
      for (const [limit, path, body, make] of makes) {
        await Promise.all(Array.from({ length: limit - 1 }, make));
        expect((await owner.call('post', path, body)).status, path).to.be.oneOf([200, 201]);
        const refused = await owner.call('post', path, body);
        expectProblem(refused, 'conflict');
        expect(refused.body.detail).to.include(`may have ${limit}`);
      }
    });

    it('an admin gives a source at most ten times the default rates', async () => {
      const id = (await owner.read('/sources')).items[0].source_id;
      const rates = { rate_per_second: 1001, rate_burst: 10_001 };
      const { body } = await owner.call('patch', `/sources/${id}`, rates);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/rate_per_second',
        '/rate_burst',
      ]);
      const allowed = { rate_per_second: 1000, rate_burst: 10_000 };
      expect((await owner.call('patch', `/sources/${id}`, allowed)).body).to.include(allowed);
    });

    it('a key over its rate still pauses and deletes webhook subscriptions, and does nothing else', async () => {
      const as = await newKey(api, accountId, ['webhooks']);
      const call = (method: 'get' | 'post' | 'patch' | 'delete', path = '', body?: object) =>
        callPublic(api, method, `/webhooks${path}`, { as, ...(body && { body }) });
      const wanted = { target_url: 'https://1.1.1.1/hook', events: ['lead.created'] };
      const { id } = (await call('post', '', wanted)).body;
      await call('get');
      for (const over of [
        call('get'),
        call('post', '', wanted),
        call('patch', `/${id}`, { name: 'Mine' }),
        call('patch', `/${id}`, { active: false, name: 'Mine' }),
      ])
        expectProblem(await over, 'rate_limited');
      expect((await call('patch', `/${id}`, { active: false })).body).to.include({ status: 'paused' });
      expect((await call('delete', `/${id}`)).status).to.equal(204);
    });

    it('its keys together have five times the rate of one', async () => {
      const account = await api.addAccount();
      const keys = await Promise.all(Array.from({ length: 6 }, () => newKey(api, account, ['webhooks'])));
      const last = keys.pop() ?? '';
      const call = (as: string) => callPublic(api, 'get', '/webhooks', { as });
      const answers = await Promise.all(keys.flatMap((key) => [call(key), call(key)]));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      const over = await call(last);
      expectProblem(over, 'rate_limited');
      expect(over.body.detail).to.include('of this account together');
      expect((await call(await newKey(api, await api.addAccount(), ['webhooks']))).status).to.equal(200);
    });
  });

  it('a session gets 429 after 300 requests in 15 seconds, and another one goes on', async () => {
    const app = express();
    const who = (id: string) =>
      ({ session: { session_id: id }, accountId: 'acc_1', role: 'owner' }) as SignedIn;
    const { guarded } = createBinder(app, async (request) => who(request.get('x-session') ?? ''));
    guarded(ROUTES.sources.list, {}, async () => done({ items: [] }));
    const call = (id: string) => supertest(app).get(ROUTES.sources.list.path).set('x-session', id);
    let answers = await Promise.all(Array.from({ length: 300 }, () => call('ses_1')));
    // A window may have ended meanwhile.
    while (answers.every(({ status }) => status === 200))
      answers = await Promise.all(Array.from({ length: 100 }, () => call('ses_1')));
    const over = answers.find(({ status }) => status !== 200);
    expect(over?.status).to.equal(429);
    expect(Number(over?.headers['retry-after'])).to.be.within(1, 15);
    expect((await call('ses_2')).status).to.equal(200);
  });

  it('an account has 50 log lines a second, and then shares those of unknown callers', () => {
    const lines: { request_id: string; unlogged?: number }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const { onAnswer } = createObserver({
      logger: createLogger({ service: 'api', level: 'info', destination }),
      metrics: createMetrics({ service: 'api' }),
    });
    const answer = (requestId: string, knownCaller: string) =>
      onAnswer({
        ...{ requestId, knownCaller, method: 'GET', route: '/sources', status: 200, durationMs: 1 },
        ...{ code: undefined, unavailable: undefined },
      });
    for (let n = 0; n < 1000; n++) answer(`req_${n}`, 'acc_busy');
    answer('req_other', 'acc_other');
    // Twice as many if a second has ended meanwhile.
    expect(lines).to.have.length.within(61, 121);
    expect(lines.at(-1)).to.include({ request_id: 'req_other' });
  });
});
