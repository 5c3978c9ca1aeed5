import { createInvite } from '@sluice/accounts/people/create-link';
import { createKeyring, seal } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { cookieOf, newAddress, PASSWORD, type Person, personOf } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { codeOf, turnOnTwoFactor, type WithTwoFactor } from '../support/two-factor.ts';
import { useApi } from '../support/use-api.ts';

const STEP_MS = 30_000;

describe('api: two-factor sign-in', () => {
  const clock = { ms: Date.now() };
  const api = useApi({ now: () => clock.ms });
  let person: Person;
  let factor: WithTwoFactor;
  beforeEach(async () => {
    person = await api.addPerson(api.accountId, 'admin');
    factor = await turnOnTwoFactor(person, clock.ms);
    clock.ms += STEP_MS;
  });

  const post = (path: string, body: object, replica = 0): Promise<Response> =>
    supertest(api.replicas[replica]?.app as never)
      .post(DASHBOARD_API + path)
      .set('x-forwarded-for', newAddress())
      .send(body);
  const typePassword = async (password = PASSWORD) =>
    (await post('/session', { email: person.me.user.email, password })).body.second_factor?.token as string;
  const typeCode = (token: string, code: string, replica = 0) =>
    post('/session/second-factor', { token, code }, replica);
  const code = () => codeOf(factor.key, clock.ms);
  const auditOf = async () =>
    (await api.mongo.db.collection('audit_log').find({ 'target.id': person.me.user.user_id }).toArray()).map(
      ({ action }) => String(action),
    );

  it('asks for a code if it was turned on while a sign-in with the password was in progress', async () => {
    person = await api.addPerson(api.accountId, 'admin');
    const { sessions } = api.store;
    const { insertSession } = sessions;
    sessions.insertSession = async (session) => {
      sessions.insertSession = insertSession;
      // Turning it on ends all other sessions, and overtakes the new session on its way to the store.
      factor = await turnOnTwoFactor(person, clock.ms);
      return insertSession(session);
    };
    const answer = await post('/session', { email: person.me.user.email, password: PASSWORD });
    expect(answer.status).to.equal(200);
    expect(answer.headers['set-cookie']).to.equal(undefined);
    expect((await person.read('/sessions')).items).to.have.length(1);
    clock.ms += STEP_MS;
    expect((await typeCode(answer.body.second_factor.token, code())).status).to.equal(200);
  });

  it('asks for a code after the correct password, and opens no session before it', async () => {
    const answer = await post('/session', { email: person.me.user.email, password: PASSWORD });
    expect(answer.status).to.equal(200);
    expect(answer.headers['set-cookie']).to.equal(undefined);
    const { token } = answer.body.second_factor;
    expect(answer.body).to.have.all.keys('second_factor');
    expectProblem(
      await personOf(api.app, person.me, `sluice=${token}`).call('get', '/session'),
      'signed_out',
    );
    const signedIn = await typeCode(token, code());
    expect(signedIn.body, signedIn.text).to.have.nested.include({ 'user.two_factor': true });
    const cookie = cookieOf(signedIn.headers);
    expect((await personOf(api.app, person.me, cookie).call('get', '/session')).status).to.equal(200);
  });

  it('rejects wrong codes, codes of other times, and codes that were used before', async () => {
    const token = await typePassword();
    for (const wrong of ['12345', '1234567', 'abcdef', codeOf(factor.key, clock.ms - 10 * STEP_MS)])
      expectProblem(await typeCode(token, wrong), 'wrong_code');
    const used = code();
    const answers = await Promise.all([
      typeCode(await typePassword(), used, 0),
      typeCode(await typePassword(), used, 1),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403]);
    expectProblem(await typeCode(await typePassword(), used), 'wrong_code');
    clock.ms += STEP_MS;
    expect((await typeCode(await typePassword(), code())).status).to.equal(200);
  });

  it('accepts the code of the previous step, for slow clocks, but none older than the last used', async () => {
    const before = codeOf(factor.key, clock.ms - STEP_MS);
    // The set-up was confirmed with this code.
    expectProblem(await typeCode(await typePassword(), before), 'wrong_code');
    clock.ms += STEP_MS;
    const late = codeOf(factor.key, clock.ms - STEP_MS);
    expect((await typeCode(await typePassword(), late)).status).to.equal(200);
  });

  it('accepts each recovery code once, however it is typed, and audits its use', async () => {
    const [first = '', second = ''] = factor.recoveryCodes;
    expect(factor.recoveryCodes).to.have.length(10);
    expect(first).to.match(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    expect((await typeCode(await typePassword(), first)).status).to.equal(200);
    expectProblem(await typeCode(await typePassword(), first), 'wrong_code');
    expect((await typeCode(await typePassword(), second.toUpperCase().replaceAll('-', ' '))).status).to.equal(
      200,
    );
    expect(await person.read('/two-factor')).to.include({ on: true, recovery_codes_left: 8 });
    expect(await auditOf()).to.include.members(['member.two_factor_on', 'member.recovery_code_used']);
  });

  it('ends a sign-in after five wrong codes, and throttles a user after ten', async () => {
    const guess = async (token: string) => (await typeCode(token, '000000')).status;
    const first = await typePassword();
    for (let i = 0; i < 5; i++) expect(await guess(first)).to.equal(403);
    expectProblem(await typeCode(first, code()), 'rate_limited');
    const second = await typePassword();
    for (let i = 0; i < 5; i++) expect(await guess(second)).to.equal(403);
    expectProblem(await typeCode(await typePassword(), code()), 'rate_limited');
  });

  it('ends a pending sign-in after ten minutes, or when the password changes', async () => {
    const late = await typePassword();
    clock.ms += 10 * 60_000;
    expectProblem(await typeCode(late, code()), 'sign_in_failed');
    const token = await typePassword();
    const new_password = 'another long password';
    await person.call('put', '/session/password', { current_password: PASSWORD, new_password });
    expectProblem(await typeCode(token, code()), 'sign_in_failed');
    expect(await typePassword(new_password)).to.be.a('string');
  });

  it('stays off until a code confirms it, and then ends the sessions opened with the password alone', async () => {
    const other = await api.addPerson(api.accountId, 'viewer');
    const signedIn = await post('/session', { email: other.me.user.email, password: PASSWORD });
    const elsewhere = personOf(api.app, other.me, cookieOf(signedIn.headers));
    expectProblem(await other.call('post', '/two-factor/begin', { password: 'a guess' }), 'wrong_password');
    await other.call('post', '/two-factor/begin', { password: PASSWORD });
    expectProblem(await other.call('post', '/two-factor/confirm', { code: '000000' }), 'wrong_code');
    expect(await other.read('/two-factor')).to.deep.equal({ on: false, since: null, recovery_codes_left: 0 });
    expect((await elsewhere.call('get', '/session')).status).to.equal(200);
    await turnOnTwoFactor(other, clock.ms);
    expectProblem(await elsewhere.call('get', '/session'), 'signed_out');
    expect((await other.call('get', '/session')).status).to.equal(200);
  });

  it('can be turned off, and its recovery codes replaced, with password and code only', async () => {
    const end = (password: string, typed: string) =>
      person.call('post', '/two-factor/end', { password, code: typed });
    const [first = '', second = ''] = factor.recoveryCodes;
    expectProblem(await end('a guess', code()), 'wrong_password');
    expectProblem(await end(PASSWORD, '000000'), 'wrong_code');
    const renewed = await person.call('post', '/two-factor/recovery-codes', {
      password: PASSWORD,
      code: first,
    });
    expect(renewed.body.recovery_codes).to.have.length(10).and.not.include(second);
    expectProblem(await typeCode(await typePassword(), second), 'wrong_code');
    expect((await end(PASSWORD, code())).status).to.equal(204);
    expect(
      (await post('/session', { email: person.me.user.email, password: PASSWORD })).body,
    ).to.have.nested.include({
      'user.two_factor': false,
    });
    expect(await auditOf()).to.include.members(['member.recovery_codes_made', 'member.two_factor_off']);
  });

  it('explains a key that this server cannot open, and still accepts a recovery code', async () => {
    const foreign = createKeyring({ current: Buffer.alloc(32, 9) });
    const { user_id } = person.me.user;
    const sealed_key = seal(foreign, totpContext(user_id), factor.key);
    const users = api.mongo.db.collection<{ _id: string }>('users');
    await users.updateOne({ _id: user_id }, { $set: { 'two_factor.sealed_key': sealed_key } });
    const answer = await typeCode(await typePassword(), code());
    expectProblem(answer, 'conflict');
    expect(answer.text).to.contain('sluice member reset-two-factor');
    expect((await typeCode(await typePassword(), factor.recoveryCodes[0] ?? '')).status).to.equal(200);
  });

  it('cannot be turned off by guessing codes in an unattended session', async () => {
    const guess = { password: PASSWORD, code: '000000' };
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) statuses.push((await person.call('post', '/two-factor/end', guess)).status);
    expect(statuses.slice(0, 8)).to.deep.equal(Array(8).fill(403));
    // Simulates ten minutes later, when passwords may be tried again.
    await api.redis.del(await api.redis.keys(`*${api.namespace}*session-proof*`));
    await person.call('post', '/two-factor/end', guess);
    await person.call('post', '/two-factor/end', guess);
    expectProblem(await person.call('post', '/two-factor/end', guess), 'rate_limited');
  });

  it('is required when joining another account too', async () => {
    const other = await api.addAccount('Another');
    const { token } = await createInvite(api.deps, { accountId: other, role: 'viewer', email: null });
    const { email } = person.me.user;
    const joined = await post('/welcome', { token, name: 'Ada', email, password: PASSWORD });
    expect(joined.headers['set-cookie']).to.equal(undefined);
    const signedIn = await typeCode(joined.body.second_factor.token, code());
    expect(signedIn.body).to.have.nested.include({ 'account.account_id': other, role: 'viewer' });
  });

  it('stores neither key nor codes in clear text in MongoDB, Redis or the log', async () => {
    const token = await typePassword();
    const [recovery = ''] = factor.recoveryCodes;
    await typeCode(token, recovery);
    const kept = JSON.stringify([
      await api.mongo.db.collection('users').find().toArray(),
      await api.mongo.db.collection('user_tokens').find().toArray(),
      await api.redis.keys(`*${api.namespace}*`),
      api.logLines,
    ]);
    for (const secret of [factor.key, recovery, token]) expect(kept).to.not.contain(secret);
  });
});
