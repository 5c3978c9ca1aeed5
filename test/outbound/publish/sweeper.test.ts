import { changeLead } from '@sluice/leads/change/change-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import { createSweeper } from '@sluice/outbound/publish/sweeper';
import { expect } from 'chai';
import { countPending } from '../../faults/support/published-verdict.ts';
import { ACTOR, made, newAccount, pendingIn, useLeads, writingInBatches } from '../../leads/support.ts';
import { until } from '../../support/until.ts';

describe('publishing', () => {
  const used = useLeads();
  const kinds = async (leadId: string) =>
    (await used.store.leadHistory.pageRows(leadId, { limit: 10 })).items.map(({ kind }) => kind);

  /** Writes with this process, and waits until the history has this number of changes of its lead. */
  async function tellsWhatDied(write: (dying: LeadDeps) => Promise<string>, changes: number) {
    // A process that dies right after its write tells nothing.
    const leadId = await write({ ...used.deps, publisher: { publishSoon: () => {} } });
    expect(await kinds(leadId)).to.deep.equal([]);
    const errors: unknown[] = [];
    const sweeper = createSweeper({
      ...used.store,
      publisher: used.publisher,
      now: Date.now,
      onChange: (error) => errors.push(error),
    });
    try {
      await until(async () => (await kinds(leadId)).length === changes, { withinMs: 10_000 });
    } finally {
      await sweeper.stop();
    }
    expect(errors).to.deep.equal([]);
    expect(await countPending(used.store)).to.equal(0);
  }

  it('tells within 10 s what a process that died has left', async () => {
    await tellsWhatDied(async (dying) => {
      const accountId = newAccount();
      const batched = writingInBatches(dying);
      const { lead_id: leadId } = await made(batched, accountId, { name: 'Left in a batch' });
      await changeLead(dying, { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
      await changeLead(batched, { accountId, leadId, patch: { company: 'Engines' }, actor: ACTOR });
      return leadId;
    }, 3);
  }).timeout(15_000);

  it('clears only what was published, when a lead changes meanwhile', async () => {
    const accountId = newAccount();
    const dying = { ...used.deps, publisher: { publishSoon: () => {} } };
    const { lead_id: leadId } = await made(dying, accountId, { name: 'Busy' });
    const [first] = await pendingIn(used.store, 'leads');
    if (first === undefined) throw new Error('nothing untold');
    await changeLead(dying, { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    await used.publisher.publishNow([first]);
    const lead = await used.store.leads.findLead(accountId, leadId);
    expect(lead?.untold.map(({ kind }) => kind)).to.deep.equal(['lead.updated']);
    expect(lead?.revision).to.equal(2);
  });

  it('writes each change into the history once, however often it is published', async () => {
    const accountId = newAccount();
    const dying = { ...used.deps, publisher: { publishSoon: () => {} } };
    const lead = await made(dying, accountId, { name: 'Twice' });
    const record = {
      collection: 'leads',
      id: lead.lead_id,
      account_id: accountId,
      changes: lead.untold,
    } as const;
    await Promise.all([1, 2, 3].map(() => used.publisher.publishNow([record])));
    expect(await kinds(lead.lead_id)).to.deep.equal(['lead.created']);
  });
});
