import { hostname, userInfo } from 'node:os';
import { formatInstant } from '@sluice/contract/time/instant';
import { auditItem } from '@sluice/dashboard-api/audit';
import type { AuditEntry } from '@sluice/store/audit/audit-log';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

describe('audit log of the command line', function () {
  this.timeout(240_000);
  const used = useInstallation();

  const entries = async (): Promise<AuditEntry[]> =>
    [...(await used.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 })).items].reverse();

  it('records who did what, when and from where, and never a secret', async () => {
    const since = Date.now();
    const [source] = await used.json('source create --name Booking');
    const id = String(source?.source_id);
    await used.json(`source show ${id}`);
    const [rotated] = await used.json(`source rotate-secret ${id}`);
    await used.json(`source deactivate ${id}`);
    await used.json(`source activate ${id}`);
    const [key] = await used.json('key create --name CRM --scopes webhooks');
    await used.json(`key revoke ${key?.key_id}`);
    await used.json(`key revoke ${key?.key_id}`);

    const noted = await entries();
    expect(noted.map(({ action }) => action)).to.deep.equal([
      'source.created',
      'secret.revealed',
      'secret.rotated',
      'source.deactivated',
      'source.activated',
      'key.created',
      'key.revoked',
    ]);
    expect(noted.map(({ target }) => target.id)).to.deep.equal([
      ...Array(5).fill(id),
      ...Array(2).fill(key?.key_id),
    ]);
    for (const entry of noted) {
      const email = `cli (${userInfo().username}@${hostname()})`;
      expect(entry).to.deep.include({ actor: { user_id: 'cli', email }, address: 'cli' });
      expect(entry.at).to.be.within(since, Date.now());
    }
    const text = JSON.stringify(noted);
    for (const secret of [source?.signing_secret, rotated?.signing_secret, key?.key])
      expect(text).to.not.contain(secret);
  });

  it('records a change of plan with the previous plan', async () => {
    await used.json('account set-plan demo free');
    expect((await entries()).at(-1)).to.deep.include({
      action: 'account.plan_changed',
      target: { id: 'demo', name: 'demo' },
      detail: 'unlimited -> free',
      address: 'cli',
    });
    await used.json('account set-plan demo unlimited');
  });

  it('has entries that the dashboard can show', async () => {
    for (const { at, account_id: _, ...entry } of await entries())
      expect(auditItem.safeParse({ ...entry, at: formatInstant(at) })).to.include({ success: true });
  });

  it('does not record a failed change', async () => {
    const before = await entries();
    expect(await used.run('source rotate-secret src_none')).to.include({ code: 1 });
    expect(await used.run('key revoke key_none')).to.include({ code: 1 });
    expect(await used.run('account set-plan acc_none free')).to.include({ code: 1 });
    expect(await used.run('dead-letters drop dlv_none')).to.include({ code: 1 });
    expect(await entries()).to.deep.equal(before);
  });
});
