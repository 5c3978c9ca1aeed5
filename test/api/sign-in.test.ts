import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { cookieOf, newAddress, PASSWORD, personOf } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { signIn } from './support/sign-in.ts';

describe('api: signing in', () => {
  const api = useApi();

  it('accepts email and password, regardless of the case of the email, and returns the user', async () => {
    const answer = await signIn(api.app, { email: api.owner.me.user.email.toUpperCase() });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.include({ role: 'owner', operator: true, user: api.owner.me.user });
    expect(JSON.stringify(answer.body)).not.to.contain('scrypt');
  });

  it('returns the same error for a wrong password and for an unknown email', async () => {
    const wrong = await signIn(api.app, { email: api.owner.me.user.email, password: 'not the password' });
    const nobody = await signIn(api.app, { email: 'nobody@example.com' });
    expectProblem(wrong, 'sign_in_failed');
    expectProblem(nobody, 'sign_in_failed');
    const detail = ({ text }: Response) => JSON.parse(text).detail;
    expect(detail(wrong)).to.equal(detail(nobody));
    expect(wrong.headers['set-cookie']).to.equal(undefined);
  });

  it('sets a cookie that scripts, other sites and, with TLS, plain HTTP cannot read', async () => {
    const plain = await signIn(api.app, { email: api.owner.me.user.email });
    expect(plain.headers['set-cookie']?.[0]).to.match(
      /^sluice=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const secure = await signIn(api.app, {
      email: api.owner.me.user.email,
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(secure.headers['set-cookie']?.[0]).to.match(
      /^__Host-sluice=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('creates a new session id each time and ends the previous session of the browser', async () => {
    const first = cookieOf((await signIn(api.app, { email: api.owner.me.user.email })).headers);
    const again = await signIn(api.app, { email: api.owner.me.user.email, headers: { cookie: first } });
    expect(cookieOf(again.headers)).not.to.equal(first);
    expectProblem(await personOf(api.app, api.owner.me, first).call('get', '/session'), 'signed_out');
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
    const person = await api.addPerson(api.accountId, 'viewer');
    const other = cookieOf((await signIn(api.app, { email: person.me.user.email })).headers);
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
    const person = await api.addPerson(api.accountId, 'viewer');
    expect((await person.call('delete', '/session')).status).to.equal(204);
    expectProblem(await person.call('get', '/session'), 'signed_out');
  });

  it('a new password requires the current one, and ends the other sessions', async () => {
    const person = await api.addPerson(api.accountId, 'viewer');
    const { email } = person.me.user;
    const other = personOf(api.app, person.me, cookieOf((await signIn(api.app, { email })).headers));
    const change = (current_password: string) =>
      person.call('put', '/session/password', { current_password, new_password: 'another long password' });
    expectProblem(await change('wrong'), 'wrong_password');
    expect((await change(PASSWORD)).status).to.equal(204);
    expectProblem(await other.call('get', '/session'), 'signed_out');
    expect((await person.call('get', '/session')).status).to.equal(200);
    expectProblem(await signIn(api.app, { email }), 'sign_in_failed');
    expect((await signIn(api.app, { email, password: 'another long password' })).status).to.equal(200);
  });

  it('the stored sessions and passwords cannot be used to sign in', async () => {
    const answer = await signIn(api.app, { email: api.owner.me.user.email });
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
