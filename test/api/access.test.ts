import { mayActAs, ROLES, type Role } from '@sluice/contract/account/roles';
import type { Access, Route, RouteTypes } from '@sluice/dashboard-api/route';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import supertest from 'supertest';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

const ALL: readonly Route<RouteTypes>[] = Object.values(ROUTES).flatMap((group) => Object.values(group));
const needed = (access: Access): Role | undefined => ROLES.find((role) => role === access);
const method = (route: Route<RouteTypes>) =>
  route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';

describe('api: access to routes', () => {
  const api = useApi();
  const people = {} as Record<Role, Person>;
  before(async () => {
    for (const role of ['owner', 'admin', 'viewer'] as const)
      people[role] = await api.addPerson(api.accountId, role);
  });

  it('every route rejects a session of a role below the one that it requires', async () => {
    for (const route of ALL) {
      const role = needed(route.access);
      if (role === undefined) continue;
      const path = route.path.replace(/:\w+/g, 'some_id');
      for (const less of ROLES.filter((one) => !mayActAs(one, role))) {
        const call = supertest(api.app)[method(route)](path).set('cookie', people[less].cookie);
        const answer = await call;
        expect(answer.status, `${less}: ${route.method} ${route.path}`).to.equal(403);
        expectProblem(answer, 'forbidden');
      }
    }
  });

  it('a guessed session is signed out', async () => {
    const call = supertest(api.app).get('/api/dashboard/v1/sources').set('cookie', 'sluice=guessed');
    expectProblem(await call, 'signed_out');
  });

  it('no write in an account is open to viewers', () => {
    const writes = ALL.filter(({ method: name, access }) => name !== 'GET' && needed(access) === 'viewer');
    expect(writes).to.deep.equal([]);
  });

  it('a role change takes effect with the next request on every replica', async () => {
    const admin = await api.addPerson(people.owner.me.account.account_id, 'admin');
    expect((await admin.call('post', '/sources', { name: 'One' })).status).to.equal(201);
    const changed = await people.owner.call('put', `/members/${admin.me.user.user_id}/role`, {
      role: 'viewer',
    });
    expect(changed.status, changed.text).to.equal(200);
    for (const replica of api.replicas) {
      const answer = await supertest(replica.app)
        .post('/api/dashboard/v1/sources')
        .set('cookie', admin.cookie)
        .send({ name: 'Two' });
      expectProblem(answer, 'forbidden');
    }
  });

  describe('writes from other sites', () => {
    const write = (headers: Record<string, string>) =>
      people.owner.call('post', '/sources', { name: 'Forged' }).set(headers);

    it('are rejected by Sec-Fetch-Site or Origin', async () => {
      for (const site of ['cross-site', 'same-site', 'none'])
        expectProblem(await write({ 'sec-fetch-site': site }), 'cross_site');
      expectProblem(await write({ origin: 'https://evil.example' }), 'cross_site');
      expectProblem(await write({ origin: 'null' }), 'cross_site');
      const host = 'sluice.test:8081';
      for (const other of ['http://evilsluice.test:8081', 'http://sluice.test:9081', 'http://sluice.test'])
        expectProblem(await write({ origin: other, host }), 'cross_site');
    });

    it('are accepted from pages of the dashboard', async () => {
      expect((await write({ 'sec-fetch-site': 'same-origin' })).status).to.equal(201);
      expect((await write({ origin: 'http://sluice.test:8081', host: 'sluice.test:8081' })).status).to.equal(
        201,
      );
      expect((await write({})).status).to.equal(201);
    });

    it('are rejected as forms, which any page could post', async () => {
      const form = supertest(api.app).post('/api/dashboard/v1/sources').set('cookie', people.owner.cookie);
      expectProblem(await form.type('form').send('name=Forged'), 'unsupported_media_type');
      // The length is unknown beforehand.
      const chunked = supertest(api.app).post('/api/dashboard/v1/sources').set('cookie', people.owner.cookie);
      chunked.type('form').set('transfer-encoding', 'chunked').write('name=Forged');
      expectProblem(await chunked, 'unsupported_media_type');
    });

    it('cannot sign a visitor in as another user', async () => {
      const answer = await supertest(api.app)
        .post('/api/dashboard/v1/session')
        .set('sec-fetch-site', 'cross-site')
        .send({ email: people.owner.me.user.email, password: 'whatever' });
      expectProblem(answer, 'cross_site');
    });
  });

  it('rejects a body that is not JSON, too large or invalid', async () => {
    const post = () =>
      supertest(api.app).post('/api/dashboard/v1/sources').set('cookie', people.owner.cookie).type('json');
    const malformed = await post().send('{"name":');
    expectProblem(malformed, 'malformed_json');
    expect(malformed.body.detail).to.equal(
      'The body is not valid JSON (line 1, column 9). Correct it there.',
    );
    const wrong = await post().send('{"name":"  "}');
    expectProblem(wrong, 'validation_failed');
    expect(JSON.parse(wrong.text).errors).to.deep.equal([
      { pointer: '/name', field: 'name', detail: 'Empty. Give it a name.' },
    ]);
    expectProblem(await post().send('{"name":5}'), 'validation_failed');
    const deep = await people.owner.call('post', '/keys', { name: 'k', scopes: ['webhooks', 'root'] });
    expectProblem(deep, 'validation_failed');
    expect(deep.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal(['/scopes/1']);
  });

  it('every response has a strict policy and reveals nothing about the server', async () => {
    for (const path of ['/', '/api/dashboard/v1/session', '/docs', '/openapi.json', '/nothing']) {
      const { headers } = await supertest(api.app).get(path);
      expect(headers['content-security-policy'])
        .to.match(/^default-src 'none';/)
        .and.not.to.match(/unsafe|https?:|\*/);
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['referrer-policy']).to.equal('no-referrer');
      expect(headers).not.to.have.property('x-powered-by');
    }
  });
});
