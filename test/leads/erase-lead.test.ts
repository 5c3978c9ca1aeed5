import { ERASE_AGAIN_AFTER_MS, eraseAgain } from '@sluice/api/parts/erasure';
import { applyConversations } from '@sluice/conversations/apply-conversations';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { listLeads } from '@sluice/leads/list/list-leads';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE, newAccount, useLeads } from './support.ts';

describe('erasing a lead', () => {
  const used = useLeads();
  const deps = () => ({ ...used.store, ...used.deps, ...NOTHING_ELSE });
  const everything = async () => {
    const names = (await used.mongo.db.listCollections().toArray()).map(({ name }) => name);
    const all = await Promise.all(names.map((name) => used.mongo.db.collection(name).find().toArray()));
    return JSON.stringify(all);
  };

  it('keeps a tombstone that no list and no read shows, and that a repeat finds erased', async () => {
    const accountId = newAccount();
    const { lead_id: leadId } = await made(used.deps, accountId, { name: 'Gone' });
    await eraseLead(deps(), { accountId, leadId, actor: ACTOR });
    const page = { by: 'created_at', descending: true, limit: 10 } as const;
    expect(await listLeads(used.deps, { accountId, filter: {}, ...page })).to.deep.include({ items: [] });
    expect(await used.store.leads.findLead(accountId, leadId)).to.equal(undefined);
    expect(await eraseLead(deps(), { accountId, leadId, actor: ACTOR })).to.deep.equal({ status: 'erased' });
  });

  it('removes a history row that is written after the erasure', async () => {
    const accountId = newAccount();
    const lead = await made({ ...used.deps, publisher: { publishSoon: () => {} } }, accountId, {
      name: 'Latecomer',
    });
    const late = {
      collection: 'leads',
      id: lead.lead_id,
      account_id: accountId,
      changes: lead.untold,
    } as const;
    await eraseLead(deps(), { accountId, leadId: lead.lead_id, actor: ACTOR });
    await used.publisher.publishNow([late]);
    expect(await everything()).to.not.include('Latecomer');
  });

  it('lets an action that was accepted before the erasure and waited in a queue have no effect', async () => {
    const accountId = newAccount();
    const { lead_id: leadId } = await made(used.deps, accountId, { email: 'queued@example.com' });
    const admitted = (received_at: number, external_id: string) => ({
      ...{ account_id: accountId, source_id: `chn_${accountId}`, sequence: received_at * 1000, received_at },
      action: {
        kind: 'message' as const,
        conversation: { external_id: 'c-1', contact: { email: 'queued@example.com' } },
        message: { external_id, author: 'visitor' as const, text: `Latecomer ${external_id}` },
      },
    });
    const applying = {
      ...used.store,
      tell: () => undefined,
      linkSoon: () => undefined,
      backoff: createRaceBackoff(),
      now: Date.now,
    };
    const first = admitted(Date.now() - 1000, 'first');
    const [applied] = await applyConversations(applying, [first]);
    const { conversation_id = '', revision = 0 } = applied?.conversation ?? {};
    const link = { lead_id: leadId, updated_at: Date.now() };
    await used.store.conversationLinks.endWait({ conversation_id, revision }, link);
    const queued = admitted(Date.now() - 500, 'second');
    await eraseLead(deps(), { accountId, leadId, actor: ACTOR });
    const results = await applyConversations(applying, [first, queued]);
    expect(results.map(({ outcome, isErased }) => [outcome, isErased])).to.deep.equal([
      ['superseded', true],
      ['superseded', true],
    ]);
    expect(await everything()).to.not.include('Latecomer');
    await applyConversations(applying, [admitted(Date.now() + 60_000, 'later')]);
    expect(await everything()).to.include('Latecomer later');
  });

  it('removes the traces twice more, and then no longer', async () => {
    const accountId = newAccount();
    const { lead_id: leadId } = await made(used.deps, accountId, { name: 'Once' });
    await eraseLead(deps(), { accountId, leadId, actor: ACTOR });
    const due = async (now: number) =>
      (await used.store.leadErasure.dueAgain(now, 1000)).filter(({ lead_id }) => lead_id === leadId).length;
    const eraseAt = (now: number) =>
      eraseAgain({
        ...{ ...deps(), now: () => now },
        eraseOutbound: async () => undefined,
      });
    const now = Date.now() + 1;
    expect(await due(now)).to.equal(1);
    await eraseAt(now);
    expect(await due(now + ERASE_AGAIN_AFTER_MS - 60_000)).to.equal(0);
    expect(await due(now + ERASE_AGAIN_AFTER_MS)).to.equal(1);
    await eraseAt(now + ERASE_AGAIN_AFTER_MS);
    expect(await due(now + 10 * ERASE_AGAIN_AFTER_MS)).to.equal(0);
  });
});
