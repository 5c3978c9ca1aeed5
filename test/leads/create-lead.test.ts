import { newId } from '@sluice/credentials/ids';
import { createLead } from '@sluice/leads/create-lead';
import { describeLead } from '@sluice/leads/describe-lead';
import { expect } from 'chai';
import { ACTOR, made, newAccount, useLeads } from './support.ts';

const HUNDRED = Array.from({ length: 100 }, (_, index) => index);

describe('creating a lead', () => {
  const used = useLeads();
  const request = { actor: ACTOR, origin: 'api' } as const;

  it('stores every field and returns the record with every key', async () => {
    const accountId = newAccount();
    const input = {
      name: 'Ada Lovelace',
      company: 'Analytical Engines',
      email: 'Ada@Example.com',
      phone: '+49 30 901820',
      external_id: 'crm-1',
      tags: ['fair'],
      fields: { budget: 5000, 'a.b': true, $where: 'no operator' },
      note: 'Met at the fair',
    };
    const lead = await made(used.deps, accountId, input);
    const stored = await used.store.leads.findLead(accountId, lead.lead_id);
    expect(stored && describeLead(stored)).to.deep.equal({
      ...input,
      id: lead.lead_id,
      phone_e164: '+4930901820',
      stage: 'stg_new',
      origin: 'api',
      conversation_id: null,
      created_at: new Date(lead.created_at).toISOString(),
      updated_at: new Date(lead.created_at).toISOString(),
      stage_changed_at: new Date(lead.created_at).toISOString(),
    });
  });

  it('makes one lead of a hundred concurrent creates that match on one new email', async () => {
    const accountId = newAccount();
    const outcomes = await Promise.all(
      HUNDRED.map((index) =>
        createLead(used.deps, {
          ...request,
          accountId,
          input: {
            email: index % 2 === 0 ? 'new@example.com' : 'NEW@Example.com',
            fields: { [`f${index % 10}`]: index },
          },
          matchOn: ['email'],
          ids: { lead: newId('lead') },
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'created')).to.have.length(1);
    expect(new Set(outcomes.map((one) => 'lead' in one && one.lead.lead_id)).size).to.equal(1);
    expect(await used.mongo.db.collection('leads').countDocuments({ account_id: accountId })).to.equal(1);
  }).timeout(120_000);
});
