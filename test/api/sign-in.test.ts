import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import {
  cookieOf,
  newAddress,
  PASSWORD,
  type Person,
  personOf,
  startApi,
  type TestApi,
} from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';

describe('api: signing in', () => {
  let api: TestApi;
  let owner: Person;
  let accountId: string;
  before(async () => {
    api = await startApi();
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
  });
  after(() => api?.close());

  const trySignIn = (
    email: string,
    password: string,
    address = newAddress(),
    replica = 0,
  ): Promise<Response> =>
    supertest(api.replicas[replica]?.app as never)
      .post(`${DASHBOARD_API}/session`)
      .set('x-forwarded-for', address)
      .send({ email, password });

  it('accepts email and password, regardless of the case of the email, and returns the user', async () => {
    const answer = await trySignIn(owner.me.user.email.toUpperCase(), PASSWORD);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.include({ role: 'owner', operator: true, user: owner.me.user });
    expect(JSON.stringify(answer.body)).not.to.contain('scrypt');
  });

  it('returns the same error for a wrong password and for an unknown email', async () => {
    const wrong = await trySignIn(owner.me.user.email, 'not the password');
    const nobody = await trySignIn('nobody@example.com', PASSWORD);
    expectProblem(wrong, 'sign_in_failed');
    expectProblem(nobody, 'sign_in_failed');
    const detail = ({ text }: Response) => JSON.parse(text).detail;
    expect(detail(wrong)).to.equal(detail(nobody));
    expect(wrong.headers['set-cookie']).to.equal(undefined);
  });

  it('sets a cookie that scripts, other sites and, with TLS, plain HTTP cannot read', async () => {
    const plain = await trySignIn(owner.me.user.email, PASSWORD);
    expect(plain.headers['set-cookie']?.[0]).to.match(
      /^sluice=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const secure = await supertest(api.app)
      .post(`${DASHBOARD_API}/session`)
      .set({ 'x-forwarded-proto': 'https', 'x-forwarded-for': newAddress() })
      .send({ email: owner.me.user.email, password: PASSWORD });
    expect(secure.headers['set-cookie']?.[0]).to.match(
      /^__Host-sluice=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('creates a new session id each time and ends the previous session of the browser', async () => {
    const first = cookieOf((await trySignIn(owner.me.user.email, PASSWORD)).headers);
    const again = await supertest(api.app)
      .post(`${DASHBOARD_API}/session`)
      .set({ cookie: first, 'x-forwarded-for': newAddress() })
      .send({ email: owner.me.user.email, password: PASSWORD });
    expect(cookieOf(again.headers)).not.to.equal(first);
    expectProblem(await personOf(api.app, owner.me, first).call('get', '/session'), 'signed_out');
  });

  it('throttles link checks too, so that links cannot be guessed', async () => {
    const address = newAddress();
    const statuses = new Set<number>();
    for (let i = 0; i < 40; i++) {
      const guess = supertest(api.app).post(`${DASHBOARD_API}/welcome/check`).set('x-forwarded-for', address);
      statuses.add((await guess.send({ token: `guess-${i}` })).status);
    }
    expect([...statuses]).to.deep.equal([404, 429]);
  });

  it('sessions are listed without tokens, and each can be ended at once on every replica', async () => {
    const person = await api.addPerson(accountId, 'viewer');
    const other = cookieOf((await trySignIn(person.me.user.email, PASSWORD)).headers);
    const elsewhere = personOf(api.replicas[1]?.app as never, person.me, other);
    const { body, text } = await person.call('get', '/sessions');
    expect(body.items.map(({ current }: { current: boolean }) => current)).to.have.members([true, false]);
    expect(text).not.to.contain(other.split('=')[1] as string);
    const id = body.items.find(({ current }: { current: boolean }) => !current).session_id;
    expect((await elsewhere.call('get', '/session')).status).to.equal(200);
    expect((await person.call('delete', `/sessions/${id}`)).status).to.equal(204);
    expectProblem(await elsewhere.call('get', '/session'), 'signed_out');
    expectProblem(await person.call('delete', `/sessions/${id}`), 'not_found');
  });

  it('signing out ends the session', async () => {
    const person = await api.addPerson(accountId, 'viewer');
    expect((await person.call('delete', '/session')).status).to.equal(204);
    expectProblem(await person.call('get', '/session'), 'signed_out');
  });

  it('a new password requires the current one, and ends the other sessions', async () => {
    const person = await api.addPerson(accountId, 'viewer');
    const { email } = person.me.user;
    const other = personOf(api.app, person.me, cookieOf((await trySignIn(email, PASSWORD)).headers));
    const change = (current_password: string) =>
      person.call('put', '/session/password', { current_password, new_password: 'another long password' });
    expectProblem(await change('wrong'), 'wrong_password');
    expect((await change(PASSWORD)).status).to.equal(204);
    expectProblem(await other.call('get', '/session'), 'signed_out');
    expect((await person.call('get', '/session')).status).to.equal(200);
    expectProblem(await trySignIn(email, PASSWORD), 'sign_in_failed');
    expect((await trySignIn(email, 'another long password')).status).to.equal(200);
  });

  it('the stored sessions and passwords cannot be used to sign in', async () => {
    const answer = await trySignIn(owner.me.user.email, PASSWORD);
    const token = cookieOf(answer.headers).split('=')[1] as string;
    const stored = JSON.stringify([
      await api.mongo.db.collection('sessions').find().toArray(),
      await api.mongo.db.collection('users').find().toArray(),
    ]);
    expect(stored).not.to.contain(token);
    expect(stored).not.to.contain(PASSWORD);
    expect(stored).to.contain('$scrypt$');
  });
});
