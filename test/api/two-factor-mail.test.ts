import { expect } from 'chai';
import { PASSWORD, type Person, startApi } from '../support/api.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { codeOf, turnOnTwoFactor } from '../support/two-factor.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('api: notices of two-factor sign-in', () => {
  const smtp = use(startSmtpServer);
  const api = use(() => startApi({ config: { SMTP_URL: smtp.url }, now: () => clock.ms }));
  let person: Person;
  const clock = { ms: Date.now() };
  before(async () => {
    person = await api.addPerson(await api.addAccount(), 'admin');
  });

  it('are mailed when a user turns it on, and when they turn it off', async () => {
    const { email } = person.me.user;
    const { key, recoveryCodes } = await turnOnTwoFactor(person, clock.ms);
    const [on] = await mails(1);
    expect(on?.to).to.deep.equal([email]);
    expect(on?.raw).to.contain('Subject: Two-factor sign-in for Sluice was turned on');
    expect(on?.raw).to.contain('from the address').and.not.contain(key).and.not.contain(recoveryCodes[0]);

    clock.ms += 30_000;
    const wrong = await person.call('post', '/two-factor/end', { password: PASSWORD, code: '000000' });
    expect(wrong.status).to.equal(403);
    const code = codeOf(key, clock.ms);
    const ended = await person.call('post', '/two-factor/end', { password: PASSWORD, code });
    expect(ended.status, ended.text).to.equal(204);
    const [, off, ...more] = await mails(2);
    expect(off?.raw).to.contain('Subject: Two-factor sign-in for Sluice was turned off');
    expect(more).to.deep.equal([]);
  });

  async function mails(count: number) {
    await until(() => smtp.mails.length >= count, { what: `${count} mails` });
    return smtp.mails;
  }
});
