import { createBinder } from '@sluice/api/http/bind';
import { done } from '@sluice/api/http/result';
import type { SignedIn } from '@sluice/api/http/signed-in';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import express from 'express';
import supertest from 'supertest';
import { addKey } from '../support/api-processes.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { callPublic } from './support/public-caller.ts';

describe('api: limits of an account', () => {
  describe('as a whole', () => {
    const api = useApi({ config: { KEY_RATE_PER_MINUTE: 1, KEY_RATE_BURST: 2 } });

    it('an admin gives a source at most ten times the default rates', async () => {
      const id = (await api.owner.call('post', '/sources', { name: 'Booking' })).body.source.source_id;
      const rates = { rate_per_second: 1001, rate_burst: 10_001 };
      const { body } = await api.owner.call('patch', `/sources/${id}`, rates);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/rate_per_second',
        '/rate_burst',
      ]);
      const allowed = { rate_per_second: 1000, rate_burst: 10_000 };
      expect((await api.owner.call('patch', `/sources/${id}`, allowed)).body).to.include(allowed);
    });

    it('a key over its rate still pauses and deletes webhook subscriptions, and does nothing else', async () => {
      const as = await addKey(api, api.accountId, ['webhooks']);
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
      const keys = await Promise.all(Array.from({ length: 6 }, () => addKey(api, account, ['webhooks'])));
      const last = keys.pop() ?? '';
      const call = (as: string) => callPublic(api, 'get', '/webhooks', { as });
      const answers = await Promise.all(keys.flatMap((key) => [call(key), call(key)]));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      const over = await call(last);
      expectProblem(over, 'rate_limited');
      expect(over.body.detail).to.include('of this account together');
      expect((await call(await addKey(api, await api.addAccount(), ['webhooks']))).status).to.equal(200);
    });
  });

  it('a session gets 429 after its requests of 15 seconds, and another one goes on', async () => {
    const app = express();
    const who = (id: string) =>
      ({ session: { session_id: id }, accountId: 'acc_1', role: 'owner' }) as SignedIn;
    const { guarded } = createBinder(app, async (request) => who(request.get('x-session') ?? ''), 3);
    guarded(ROUTES.sources.list, {}, async () => done({ items: [] }));
    const call = (id: string) => supertest(app).get(ROUTES.sources.list.path).set('x-session', id);
    let over = await call('ses_1');
    // A window may end meanwhile.
    for (let n = 0; n < 7 && over.status === 200; n++) over = await call('ses_1');
    expect(over.status).to.equal(429);
    expect(Number(over.headers['retry-after'])).to.be.within(1, 15);
    expect((await call('ses_2')).status).to.equal(200);
  });
});
