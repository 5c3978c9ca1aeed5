import { createPasswordReset } from '@sluice/accounts/people/password-reset';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { newAddress, PASSWORD, type Person, startApi, type TestApi } from '../support/api.ts';
import { created } from '../support/created.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { type ReceivedMail, startSmtpServer } from '../support/smtp-server.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { useApi } from '../support/use-api.ts';

const NEW = 'another long password';

describe('api: a forgotten password', () => {
  const clock = { ms: Date.now() };
  const smtp = use(startSmtpServer);
  const api = use(() =>
    startApi({
      config: { SMTP_URL: smtp.url, MAIL_FROM: 'Sluice <sluice@example.com>' },
      now: () => clock.ms,
    }),
  );
  let accountId: string;
  let person: Person;
  let email: string;
  before(async () => {
    accountId = await api.addAccount();
  });
  beforeEach(async () => {
    person = await api.addPerson(accountId, 'admin');
    email = person.me.user.email;
  });

  const post = (path: string, body: object, cookie = '', at: TestApi = api): Promise<Response> =>
    supertest(at.app)
      .post(DASHBOARD_API + path)
      .set({ 'x-forwarded-for': newAddress(), cookie })
      .send(body);
  const signIn = (password: string) => post('/session', { email, password });
  const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
  const tokenOf = ({ raw }: ReceivedMail) =>
    /http:\/\/localhost:8081\/reset-password#token=([\w-]{43})/.exec(raw)?.[1] ?? '';

  async function mailedToken(): Promise<string> {
    // Notices are mailed to the same address.
    const links = () => mailsTo(email).filter((mail) => tokenOf(mail) !== '');
    const before = links().length;
    expect((await post('/password/forgot', { email })).status).to.equal(204);
    await until(() => links().length > before, { what: 'a mail with a link' });
    return tokenOf(links().at(-1) as ReceivedMail);
  }

  it('can be replaced with a mailed link that works once, and a notice follows', async () => {
    const token = await mailedToken();
    const [mail] = mailsTo(email);
    expect(mail).to.include({ from: 'sluice@example.com' });
    expect(mail?.raw).to.contain('Subject: Set a new password for Sluice').and.contain('within 30 minutes');
    const check = await post('/password/reset/check', { token });
    expect(check.body).to.include({ email });
    expectProblem(await post('/password/reset', { token, password: 'short' }), 'validation_failed');
    expectProblem(await post('/password/reset', { token, password: email }), 'validation_failed');
    const answers = await Promise.all(
      [1, 2, 3].map((n) => post('/password/reset', { token, password: NEW + n })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404]);
    expectProblem(await post('/password/reset/check', { token }), 'link_invalid');
    expectProblem(await signIn(PASSWORD), 'sign_in_failed');
    const chosen = answers.findIndex(({ status }) => status === 204) + 1;
    expect((await signIn(NEW + chosen)).status).to.equal(200);
    await until(() => mailsTo(email).some(({ raw }) => raw.includes('was changed')), { what: 'the notice' });
    const noted = await api.mongo.db
      .collection('audit_log')
      .find({ action: 'member.password_reset' })
      .toArray();
    expect(noted.map(({ target }) => target.name)).to.include(email);
  });

  it('the reset ends every session, known browser and other link of the user', async () => {
    const other = await mailedToken();
    const token = await mailedToken();
    const signedIn = await signIn(PASSWORD);
    expect(signedIn.status).to.equal(200);
    expect((await post('/password/reset', { token, password: NEW })).status).to.equal(204);
    expectProblem(await person.call('get', '/session'), 'signed_out');
    expectProblem(await post('/password/reset/check', { token: other }), 'link_invalid');
    const kept = await api.mongo.db
      .collection('user_tokens')
      .find({ user_id: person.me.user.user_id })
      .toArray();
    expect(kept).to.deep.equal([]);
  });

  it('the reset still requires the second factor', async () => {
    await turnOnTwoFactor(person, clock.ms);
    const token = await mailedToken();
    await post('/password/reset', { token, password: NEW });
    const answer = await signIn(NEW);
    expect(answer.headers['set-cookie']).to.equal(undefined);
    expect(answer.body).to.have.all.keys('second_factor');
  });

  it('the link expires after 30 minutes', async () => {
    const token = await mailedToken();
    clock.ms += 30 * 60_000;
    expectProblem(await post('/password/reset/check', { token }), 'link_invalid');
    expectProblem(await post('/password/reset', { token, password: NEW }), 'link_invalid');
  });

  it('gets the same response for an unknown email address, and at most three mails an hour', async () => {
    const known: Response[] = [];
    const unknown: Response[] = [];
    for (let i = 0; i < 5; i++) {
      known.push(await post('/password/forgot', { email }));
      unknown.push(await post('/password/forgot', { email: `nobody${i}@example.com` }));
    }
    const seen = ({ status, text, headers }: Response) => [status, text, Object.keys(headers).sort()];
    for (const answer of [...known, ...unknown])
      expect(seen(answer)).to.deep.equal(seen(known[0] as Response));
    const last = await api.addPerson(accountId, 'viewer');
    await post('/password/forgot', { email: last.me.user.email });
    await until(() => mailsTo(last.me.user.email).length === 1, { what: 'the mail after them' });
    expect(mailsTo(email)).to.have.length(3);
    expect(smtp.mails.filter(({ to }) => to.some((one) => one.startsWith('nobody')))).to.deep.equal([]);
    const address = newAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      const asked = supertest(api.app)
        .post(`${DASHBOARD_API}/password/forgot`)
        .set('x-forwarded-for', address);
      statuses.push((await asked.send({ email: `someone${i}@example.com` })).status);
    }
    expect([...new Set(statuses)]).to.deep.equal([204, 429]);
  });

  it('a changed password is announced by mail too', async () => {
    const body = { current_password: PASSWORD, new_password: NEW };
    expect((await person.call('put', '/session/password', body)).status).to.equal(204);
    await until(() => mailsTo(email).length === 1, { what: 'the notice' });
    expect(mailsTo(email)[0]?.raw).to.contain('Your Sluice password was changed').and.not.contain(NEW);
  });

  it('leaves no token in MongoDB, Redis or the log, and no email address in the log or Redis', async () => {
    const token = await mailedToken();
    await post('/password/reset/check', { token });
    const log = api.logLines.join('');
    const keys = (await api.redis.keys(`*${api.namespace}*`)).join(' ');
    const stored = JSON.stringify(await api.mongo.db.collection('user_tokens').find().toArray());
    for (const kept of [log, keys, stored]) expect(kept).to.not.contain(token);
    for (const kept of [log, keys]) expect(kept).to.not.contain(email);
    expect(log).to.contain('mail.sent').and.not.contain('mail.failed');
  });

  it('sends no link over a connection without TLS, unless SMTP_URL allows it', async () => {
    const strict = await startApi({ config: { SMTP_URL: smtp.url.replace('?requireTLS=false', '') } });
    try {
      const someone = await strict.addPerson(await strict.addAccount(), 'owner');
      await post('/password/forgot', { email: someone.me.user.email }, '', strict);
      await until(() => strict.logLines.some((line) => line.includes('mail.failed')), { what: 'a warning' });
      expect(mailsTo(someone.me.user.email)).to.deep.equal([]);
      expect(strict.logLines.join('')).to.not.contain(someone.me.user.email).and.not.contain('p/ss');
    } finally {
      await strict.close();
    }
  });

  const silent = useApi();
  it('asks the operator for a link if the installation sends no mail, and that link works too', async () => {
    const options = await supertest(silent.app).get(`${DASHBOARD_API}/sign-in-options`);
    expect(options.body).to.deep.equal({ password_recovery: 'operator' });
    const refused = await post('/password/forgot', { email: silent.owner.me.user.email }, '', silent);
    expectProblem(refused, 'conflict');
    expect(refused.text).to.contain('sluice owner-link --reset EMAIL');
    const made = created(await createPasswordReset(silent.deps, silent.owner.me.user.email));
    const reset = await post('/password/reset', { token: made.token, password: NEW }, '', silent);
    expect(reset.status, reset.text).to.equal(204);
  });
});
