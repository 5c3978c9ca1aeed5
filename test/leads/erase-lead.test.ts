import { changeLead } from '@sluice/leads/change-lead';
import { eraseLead } from '@sluice/leads/erase-lead';
import { listLeads } from '@sluice/leads/list-leads';
import { expect } from 'chai';
import { ACTOR, made, newAccount, useLeads } from './support.ts';

describe('erasing a lead', () => {
  const used = useLeads();
  const deps = () => ({ ...used.store, ...used.deps });
  const everything = async () => {
    const names = (await used.mongo.db.listCollections().toArray()).map(({ name }) => name);
    const all = await Promise.all(names.map((name) => used.mongo.db.collection(name).find().toArray()));
    return JSON.stringify(all);
  };

  it('leaves nothing of the person in any collection', async () => {
    const accountId = newAccount();
    const { lead_id: leadId } = await made(used.deps, accountId, {
      name: 'Zanzibar Forgotten',
      email: 'zanzibar@example.com',
      note: 'zanzibar',
    });
    const { db } = used.mongo;
    const linked = { account_id: accountId, lead_id: leadId, channel_id: 'chn_1', revision: 1 };
    const contact = { sequence: 1, value: { name: 'Zanzibar' } };
    await db
      .collection<{ _id: string }>('conversations')
      .insertOne({ _id: 'conv_1', ...linked, contact } as never);
    await db
      .collection('conversation_messages')
      .insertOne({ conversation_id: 'conv_1', text: 'I am Zanzibar' });
    const request = { body: '{"name":"Zanzibar"}' };
    await db
      .collection('deliveries')
      .insertOne({ source_id: 'chn_1', conversation_id: 'conv_1', title: 'Zanzibar', request });
    await changeLead(used.deps, { accountId, leadId, patch: { company: 'Zanzibar Ltd' }, actor: ACTOR });
    await used.teller.settled();
    expect((await everything()).toLowerCase().match(/zanzibar/g)?.length).to.be.above(8);

    expect(await eraseLead(deps(), { accountId, leadId, actor: ACTOR })).to.deep.equal({ status: 'erased' });
    await used.teller.settled();
    expect((await everything()).toLowerCase()).to.not.include('zanzib');
  });

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
    const lead = await made({ ...used.deps, teller: { told: () => {} } }, accountId, { name: 'Latecomer' });
    const late = {
      collection: 'leads',
      id: lead.lead_id,
      account_id: accountId,
      changes: lead.untold,
    } as const;
    await eraseLead(deps(), { accountId, leadId: lead.lead_id, actor: ACTOR });
    await used.teller.tellNow([late]);
    expect(await everything()).to.not.include('Latecomer');
  });
});
