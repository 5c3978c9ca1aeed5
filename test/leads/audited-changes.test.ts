import type { Doer } from '@sluice/contract/account/doer';
import { changeLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { auditOfChanges } from '@sluice/store/audit/audit-of-changes';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE, newAccount, pendingIn, useLeads } from './support.ts';

const DOER: Doer = { actor: { key_id: 'key_1', name: 'Website' }, address: '192.0.2.7' };

describe('the audit entries of changes of leads', () => {
  const used = useLeads();
  let accountId: string;
  beforeEach(() => {
    accountId = newAccount();
  });

  /** Like a process that dies before it tells. */
  const dying = () => ({ ...used.deps, publisher: { publishSoon: () => {} } });
  const entries = async () =>
    (await used.store.auditLog.pageEntries({ account_id: accountId, limit: 100 })).items;

  it('are written once by any process that publishes the change, however often it does', async () => {
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' }, { doer: DOER });
    expect(await entries()).to.deep.equal([]);
    const untold = (await pendingIn(used.store, 'leads')).filter(({ id }) => id === leadId);
    await used.publisher.publishNow(untold);
    await used.publisher.publishNow(untold);
    const [entry, ...more] = await entries();
    expect(more).to.deep.equal([]);
    const target = { id: leadId, name: leadId };
    expect(entry).to.deep.include({ action: 'lead.created', ...DOER, target, detail: null });
    expect(entry?.at).to.equal(untold[0]?.changes[0]?.at);
  });

  it('name the stage, and changed fields without their values', async () => {
    const { lead_id: leadId } = await made(used.deps, accountId, { name: 'Ada' }, { doer: DOER });
    const patch = { company: 'Engines', note: 'Secretive', stage: 'stg_won' };
    await changeLead(used.deps, { accountId, leadId, patch, actor: ACTOR, doer: DOER });
    await used.publisher.settled();
    const shown = (await entries()).map(({ action, detail }) => [action, detail]);
    expect(shown).to.have.deep.members([
      ['lead.created', null],
      ['lead.changed', 'company, note'],
      ['lead.stage_changed', 'stg_won'],
    ]);
  });

  it('are kept without personal data when the lead is erased before its changes are published', async () => {
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' }, { doer: DOER });
    const patch = { company: 'Engines', note: 'Secretive' };
    await changeLead(dying(), { accountId, leadId, patch, actor: ACTOR, doer: DOER });
    const deps = { ...used.store, ...used.deps, ...NOTHING_ELSE };
    await eraseLead(deps, { accountId, leadId, actor: ACTOR });
    await used.publisher.settled();
    const kept = await entries();
    expect(kept.map(({ action }) => action)).to.have.members(['lead.created', 'lead.changed']);
    expect(JSON.stringify(kept)).to.not.match(/Ada|Engines|Secretive/);
  });

  it('name who erased a lead, once, also if the process dies behind the erasure and the request is repeated', async () => {
    const { lead_id: leadId } = await made(used.deps, accountId, { name: 'Ada' });
    await used.publisher.settled();
    const deps = { ...used.store, ...dying(), ...NOTHING_ELSE };
    const erase = () => eraseLead(deps, { accountId, leadId, actor: ACTOR, doer: DOER });
    await erase();
    const untold = (await pendingIn(used.store, 'leads')).filter(({ id }) => id === leadId);
    await used.publisher.publishNow(untold);
    await erase();
    await used.publisher.publishNow(untold);
    const [entry, ...more] = await entries();
    expect(more).to.deep.equal([]);
    const target = { id: leadId, name: leadId };
    expect(entry).to.deep.include({ action: 'lead.erased', ...DOER, target, detail: null });
  });

  it('are not made of changes whose caller writes the entry', async () => {
    const lead = await made(used.deps, accountId, { name: 'Ada' });
    expect(auditOfChanges({ id: lead.lead_id, account_id: accountId, changes: lead.untold })).to.deep.equal(
      [],
    );
  });

  it('leave the address out of the history', async () => {
    const { lead_id: leadId } = await made(used.deps, accountId, { name: 'Ada' }, { doer: DOER });
    await used.publisher.settled();
    const { items } = await used.store.leadHistory.pageRows(leadId, { limit: 10 });
    expect(items).to.have.length(1);
    expect(JSON.stringify(items)).to.not.contain('192.0.2.7');
  });
});
