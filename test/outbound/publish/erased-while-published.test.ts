import { changeLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE, newAccount, pendingIn, useLeads } from '../../leads/support.ts';
import { createOutbound, subscription } from './support/use-outbound.ts';

describe('publishing: a lead that is erased while another process publishes its changes', () => {
  const used = useLeads();
  const dying = () => ({ ...used.deps, publisher: { publishSoon: () => {} } });
  const pendingOf = async (accountId: string) =>
    (await pendingIn(used.store, 'leads')).filter(({ account_id }) => account_id === accountId);

  const changesLeft = async (account_id: string) => {
    const kinds = ['lead.created', 'lead.updated', 'lead.erased'] as const;
    const left = await used.store.outboundChanges.pageChanges({ account_id, kinds, since: 0, limit: 10 });
    return left.map(({ kind }) => kind);
  };

  it('leaves no text of it in Redis if the late changes come before its erasure is published', async () => {
    const accountId = newAccount();
    const parts = createOutbound(used);
    const { memory, publisher } = parts;
    const deps = { ...used.deps, publisher };
    parts.subscriptions = [subscription('sub_1')];
    const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    const late = await pendingOf(accountId);
    await eraseLead({ ...used.store, ...dying(), ...NOTHING_ELSE }, { accountId, leadId, actor: ACTOR });
    await publisher.publishNow(late);
    expect(memory.erased, 'the text that waits').to.have.length(1);
    expect(await changesLeft(accountId)).to.deep.equal([]);
  });

  it('leaves no text of it in MongoDB that was stored afterwards, while a subscription is changed', async () => {
    const accountId = newAccount();
    let beforeInsert = async () => {};
    const outboundChanges = {
      ...used.store.outboundChanges,
      insertChanges: async (...rows: Parameters<typeof used.store.outboundChanges.insertChanges>) => {
        await beforeInsert();
        return used.store.outboundChanges.insertChanges(...rows);
      },
    };
    const parts = createOutbound({ store: { ...used.store, outboundChanges } });
    const { memory, publisher } = parts;
    parts.subscriptions = [subscription('sub_1')];
    const deps = { ...used.deps, publisher };
    const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    const late = await pendingOf(accountId);
    beforeInsert = async () => {
      beforeInsert = async () => {};
      await eraseLead({ ...used.store, ...deps, ...NOTHING_ELSE }, { accountId, leadId, actor: ACTOR });
      await publisher.settled();
      memory.fencedForMs = 60_000;
    };
    await publisher.publishNow(late);
    expect(await changesLeft(accountId)).to.deep.equal(['lead.erased']);
  });
});
