import { newId } from '@sluice/credentials/ids';
import { changeLead } from '@sluice/leads/change/change-lead';
import { createLead } from '@sluice/leads/change/create-lead';
import { expect } from 'chai';
import { ACTOR, made, newAccount, useLeads, writingInBatches } from './support.ts';

describe('repeating a create that matches', () => {
  const used = useLeads();

  const setUp = async (inBatches = false) => {
    const deps = inBatches ? writingInBatches(used.deps) : used.deps;
    const accountId = newAccount();
    const { lead_id: leadId } = await made(deps, accountId, { email: 'a@example.com', company: 'Old' });
    const request = {
      accountId,
      matchOn: ['email'],
      actor: ACTOR,
      origin: 'api',
      ids: { lead: newId('lead') },
      input: { email: 'a@example.com', company: 'New' },
      requestId: `request of ${accountId}`,
    } as const;
    const send = (isRepeat: boolean) => createLead(deps, { ...request, isRepeat });
    const change = (patch: Parameters<typeof changeLead>[1]['patch']) =>
      changeLead(deps, { accountId, leadId, patch, actor: ACTOR });
    return { accountId, leadId, send, change };
  };

  it('does not undo what others have changed since', async () => {
    const { accountId, leadId, send, change } = await setUp();
    expect(await send(false)).to.include({ status: 'changed' });
    await change({ company: 'Newest' });
    const repeated = await send(true);
    expect(repeated).to.deep.include({ status: 'changed' });
    expect('lead' in repeated && repeated.lead.lead_id).to.equal(leadId);
    expect((await used.store.leads.findLead(accountId, leadId))?.company).to.equal('Newest');
  });

  it('makes no lead if the one that it changed no longer matches', async () => {
    const { accountId, leadId, send, change } = await setUp();
    await send(false);
    await change({ email: 'other@example.com' });
    await used.publisher.settled();
    const repeated = await send(true);
    expect('lead' in repeated && repeated.lead.lead_id).to.equal(leadId);
    expect(await used.mongo.db.collection('leads').countDocuments({ account_id: accountId })).to.equal(1);
  });

  for (const [name, inBatches] of [
    ['', false],
    [', in a batch', true],
  ] as const)
    it(`makes no lead if the one that it changed no longer matches, also before the change is published${name}`, async () => {
      const { accountId, leadId, send, change } = await setUp(inBatches);
      // A process that dies behind the write tells nothing.
      const told = used.deps.publisher.publishSoon;
      used.deps.publisher.publishSoon = () => {};
      try {
        await send(false);
        await change({ email: 'other@example.com' });
        const repeated = await send(true);
        expect('lead' in repeated && repeated.lead.lead_id).to.equal(leadId);
        expect(repeated.status).to.equal('changed');
      } finally {
        used.deps.publisher.publishSoon = told;
      }
      expect(await used.mongo.db.collection('leads').countDocuments({ account_id: accountId })).to.equal(1);
    });

  it('takes effect if the first try had none', async () => {
    const { accountId, leadId, send } = await setUp();
    expect(await send(true)).to.include({ status: 'changed' });
    expect((await used.store.leads.findLead(accountId, leadId))?.company).to.equal('New');
  });
});
