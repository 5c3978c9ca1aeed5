import { DAY_MS } from '@sluice/contract/time/durations';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { SessionItem } from '@sluice/dashboard-api/session';
import { expect } from 'chai';
import supertest from 'supertest';
import { cookieOf, newAddress, type Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { signIn } from './support/sign-in.ts';

describe('api: sessions', () => {
  const api = useApi({ now: () => Date.now() + now.offset });
  let person: Person;
  const now = { offset: 0 };
  beforeEach(async () => {
    person = await api.addPerson(await api.addAccount(), 'owner');
  });
  afterEach(() => {
    now.offset = 0;
  });

  const newSession = async (headers: Record<string, string> = {}) => {
    const answer = await signIn(api.app, { email: person.me.user.email, headers });
    expect(answer.status, answer.text).to.equal(200);
    return cookieOf(answer.headers);
  };
  const me = (cookie: string, headers: Record<string, string> = {}) =>
    supertest(api.app)
      .get(`${DASHBOARD_API}/session`)
      .set({ cookie, ...headers });
  const list = async (): Promise<SessionItem[]> => (await person.read('/sessions')).items;

  it('over TLS, the cookie for plain HTTP, which another host could have set, does not sign in', async () => {
    const tls = { 'x-forwarded-proto': 'https' };
    const token = (await newSession()).split('=')[1];
    expectProblem(await me(`sluice=${token}`, tls), 'signed_out');
    expect((await me(`sluice=planted; __Host-sluice=${token}`, tls)).status).to.equal(200);
  });

  it('the cookie is cleared when signing out', async () => {
    const out = await person.call('delete', '/session');
    expect(out.headers['set-cookie']?.[0]).to.match(/^sluice=; Path=\/; Expires=Thu, 01 Jan 1970/);
  });

  it('the response to an old request leaves the cookie of a newer sign-in in the same browser', async () => {
    await person.call('delete', '/session');
    const late = await person.call('get', '/session');
    expectProblem(late, 'signed_out');
    expect(late.headers['set-cookie']).to.equal(undefined);
  });

  it('a session that ends while its use is recorded does not get its cookie again', async () => {
    const { sessions } = api.store;
    const { touchSession } = sessions;
    sessions.touchSession = async (hash, seen) => {
      await sessions.endSessions({ user_id: person.me.user.user_id });
      return touchSession(hash, seen);
    };
    now.offset = 61_000;
    try {
      expect((await person.call('get', '/session')).headers['set-cookie']).to.equal(undefined);
    } finally {
      sessions.touchSession = touchSession;
    }
  });

  it('the last use is recorded at most once a minute, so that reads do not write each time', async () => {
    const first = await list();
    now.offset = 50_000;
    expect(await list()).to.deep.equal(first);
    now.offset = 61_000;
    const [seen] = await list();
    expect(Date.parse(seen?.last_seen_at as string)).to.be.above(
      Date.parse(first[0]?.last_seen_at as string),
    );
    expect(Date.parse(seen?.expires_at as string)).to.be.above(Date.parse(first[0]?.expires_at as string));
  });

  it('the list shows address and shortened user agent of each, without expired ones', async () => {
    await newSession({ 'x-forwarded-for': '203.0.113.9', 'user-agent': `Browser ${'x'.repeat(500)}` });
    const elsewhere = (await list()).find(({ current }) => !current);
    expect(elsewhere?.address).to.equal('203.0.113.9');
    expect(elsewhere?.user_agent).to.equal(`Browser ${'x'.repeat(192)}`);
    now.offset = 13 * DAY_MS;
    // This session is used, so it continues.
    await list();
    now.offset = 15 * DAY_MS;
    expect((await list()).map(({ current }) => current)).to.deep.equal([true]);
  });

  it('all others can be ended at once, except the current one and those of other users', async () => {
    const [first, second] = [await newSession(), await newSession()];
    const other = await api.addPerson(person.me.account.account_id, 'viewer');
    expect((await person.call('delete', '/sessions')).status).to.equal(204);
    for (const cookie of [first, second]) expectProblem(await me(cookie), 'signed_out');
    for (const cookie of [person.cookie, other.cookie]) expect((await me(cookie)).status).to.equal(200);
  });

  it('guessing the password within a session is throttled like signing in', async () => {
    const guess = () =>
      person
        .call('put', '/session/password', {
          current_password: 'a guess',
          new_password: 'a long new password',
        })
        .set('x-forwarded-for', newAddress());
    const codes = new Set<string>();
    for (let i = 0; i < 12; i++) codes.add((await guess()).body.code);
    expect([...codes]).to.deep.equal(['wrong_password', 'rate_limited']);
  });

  it('a user without any account gets an error and no session', async () => {
    await api.store.memberships.removeMembership(person.me.account.account_id, person.me.user.user_id);
    const answer = await signIn(api.app, { email: person.me.user.email });
    expectProblem(answer, 'forbidden');
    expect(answer.body.detail).to.include('not a member of any account');
    expect(answer.headers['set-cookie']).to.equal(undefined);
  });
});
