import { mailOwners } from '@sluice/api/webhooks/sweeps';
import type { PauseReason } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import type { Mail } from '@sluice/mail/texts';
import { pauseByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { markFailing, markHealed } from '@sluice/outbound/subscriptions/pause-for-receiver';
import { expect } from 'chai';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: mails to owners', () => {
  const used = useSubscriptions();

  const fail = (accountId: string, subscriptionId: string) =>
    markFailing(used.deps, { accountId, subscriptionId, detail: 'It timed out.' });
  async function addMember(accountId: string, role: 'owner' | 'admin' | 'viewer'): Promise<string> {
    const user_id = newId('usr');
    const email = `${role}-${user_id}@example.com`.toLowerCase();
    const created_at = Date.now();
    await used.store.users.insertUser({
      ...{ user_id, email, name: 'Ada', password_hash: 'x', operator: false, created_at },
    });
    await used.store.memberships.insertMembership({ account_id: accountId, user_id, role, created_at });
    return email;
  }
  async function mailed(mailer = true): Promise<Mail[]> {
    const mails: Mail[] = [];
    const send = (mail: Mail) => void mails.push(mail);
    await mailOwners({
      ...{ ...used.store, ...used.deps, apiUrl: 'https://sluice.example.com' },
      mailer: mailer ? { send } : undefined,
    });
    return mails;
  }

  it('report a failing subscription once for each pause, to owners only', async () => {
    const key = await addKey(used);
    const { account_id: accountId } = key;
    const owner = await addMember(accountId, 'owner');
    await addMember(accountId, 'admin');
    const target_url = 'https://hooks.example.com/a-secret-path';
    const { subscription } = await made(used, key, { target_url, name: 'New leads' });
    const id = subscription.subscription_id;
    expect(await mailed()).to.deep.equal([]);

    await fail(accountId, id);
    const [mail, ...more] = await mailed();
    expect(more).to.deep.equal([]);
    expect(mail).to.include({ to: owner, kind: 'subscriptions_paused' });
    expect(mail?.text).to.contain('"New leads"').and.contain('hooks.example.com has accepted no message');
    expect(mail?.text).to.contain(`https://sluice.example.com/settings/webhooks/${id}/messages`);
    expect(mail?.text).not.to.contain('a-secret-path');
    expect(await mailed()).to.deep.equal([]);

    await markHealed(used.deps, { accountId, subscriptionId: id });
    await fail(accountId, id);
    expect(await mailed()).to.have.length(1);
  });

  it('are one for all subscriptions of an account, and two API servers do not both send it', async () => {
    const key = await addKey(used);
    await addMember(key.account_id, 'owner');
    for (const path of ['a', 'b', 'c']) {
      const { subscription } = await made(used, key, { target_url: `https://hooks.example.com/${path}` });
      await fail(key.account_id, subscription.subscription_id);
    }
    const both = (await Promise.all([mailed(), mailed()])).flat();
    const named = both.flatMap(({ text }) => text.match(/settings\/webhooks\/sub_\w+/g) ?? []);
    expect(named).to.have.length(3);
    expect(new Set(named).size).to.equal(3);
  });

  it('report an expired key, but not what a person has done, nor tests and deleted subscriptions', async () => {
    const paused = async (reason: PauseReason, body: object = {}) => {
      const key = await addKey(used);
      await addMember(key.account_id, 'owner');
      const { subscription } = await made(used, key, body);
      const { subscription_id: id, account_id: accountId } = subscription;
      if (reason === 'key_expired' || reason === 'key_revoked')
        await pauseForKey(used.deps, key.key_id, reason);
      else if (reason === 'by_admin') await pauseByAdmin(used.deps, accountId, id);
      else await fail(accountId, id);
    };
    await paused('key_revoked');
    await paused('by_admin');
    await paused('by_client', { active: false });
    await paused('failing', { client: { mode: 'test' } });
    expect(await mailed()).to.deep.equal([]);
    await paused('key_expired');
    const [mail, ...more] = await mailed();
    expect(mail?.text).to.contain('API key has expired');
    expect(more).to.deep.equal([]);
  });

  it('wait until the installation sends mail', async () => {
    const key = await addKey(used);
    await addMember(key.account_id, 'owner');
    const { subscription } = await made(used, key);
    await fail(key.account_id, subscription.subscription_id);
    expect(await mailed(false)).to.deep.equal([]);
    expect(await mailed()).to.have.length(1);
  });

  it('show a name with line breaks in one line', async () => {
    const key = await addKey(used);
    await addMember(key.account_id, 'owner');
    const { subscription } = await made(used, key, {
      client: { workflow_name: 'Leads\n\nYour password expires: https://evil.example.com' },
    });
    await fail(key.account_id, subscription.subscription_id);
    const [mail] = await mailed();
    expect(mail?.text).to.contain('"Leads Your password expires: https://evil.example.com"');
  });
});
