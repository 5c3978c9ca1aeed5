import { expect } from 'chai';
import { startSmtpServer } from '../support/smtp-server.ts';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice member reset-two-factor', function () {
  this.timeout(240_000);
  const used = useInstallation();
  before(async () => {
    const user = { user_id: 'usr_1', email: 'ada@example.com', name: 'Ada', password_hash: 'x' };
    await used.store.users.insertUser({ ...user, operator: false, created_at: 0 });
    for (const account_id of ['acc_1', 'acc_2'])
      await used.store.memberships.insertMembership({
        account_id,
        user_id: 'usr_1',
        role: 'owner',
        created_at: 0,
      });
  });

  async function turnOn(): Promise<void> {
    await used.store.twoFactors.putDraft('usr_1', 'sealed');
    const factor = { sealed_key: 'sealed', last_step: 1, recovery_hashes: ['x'], since: 0 };
    await used.store.twoFactors.turnOn('usr_1', factor);
  }

  it('turns off the second factor of a user, ends their sessions, and records it in each account', async () => {
    await turnOn();
    const at = Date.now();
    const times = { created_at: at, last_seen_at: at, expires_at: at + 1e6 };
    const session = { token_hash: 'hash', session_id: 'ses_1', user_id: 'usr_1', account_id: 'acc_1' };
    await used.store.sessions.insertSession({ ...session, ...times, address: '', user_agent: '' });
    const [done] = await used.json('member reset-two-factor Ada@Example.com');
    expect(done).to.deep.equal({
      user_id: 'usr_1',
      email: 'ada@example.com',
      accounts: ['acc_1', 'acc_2'],
    });
    expect(await used.store.users.findUser('usr_1')).to.not.have.any.keys('two_factor', 'two_factor_draft');
    expect(await used.store.sessions.listSessions('usr_1')).to.deep.equal([]);
    const noted = await used.mongo.db
      .collection('audit_log')
      .find({ action: 'member.two_factor_reset' })
      .toArray();
    expect(noted.map(({ account_id }) => account_id)).to.have.members(['acc_1', 'acc_2']);
  });

  it('mails a notice to the member if the installation sends mail', async () => {
    await turnOn();
    const smtp = await startSmtpServer();
    try {
      const env = { SMTP_URL: smtp.url, API_URL: 'https://sluice.example.com' };
      const done = await used.run('member reset-two-factor ada@example.com', { env });
      expect(done).to.include({ code: 0 });
      expect(done.stderr).to.contain('They get a notice by mail.');
      expect(smtp.mails.map(({ to, from }) => [to, from])).to.deep.equal([
        [['ada@example.com'], 'sluice@sluice.example.com'],
      ]);
      expect(smtp.mails[0]?.raw)
        .to.contain('Subject: Two-factor sign-in for Sluice was reset')
        .and.contain('by the operator of this installation');
    } finally {
      await smtp.close();
    }
  });

  it('resets it while the mail server is away too, and says that no notice was sent', async () => {
    await turnOn();
    const env = { SMTP_URL: 'smtp://127.0.0.1:1' };
    const done = await used.run('member reset-two-factor ada@example.com', { env });
    expect(done).to.include({ code: 0 });
    expect(done.stderr).to.contain('The notice could not be mailed. Inform them, and check SMTP_URL.');
    expect(await used.store.users.findUser('usr_1')).to.not.have.property('two_factor');
  });

  it('fails for a user without a second factor, and for an unknown email address', async () => {
    const off = await used.run('member reset-two-factor ada@example.com');
    expectFailure(off, 1, "doesn't use two-factor sign-in");
    expect((await used.run('member reset-two-factor nobody@example.com')).stderr).to.contain(
      'There is no user with',
    );
  });
});
