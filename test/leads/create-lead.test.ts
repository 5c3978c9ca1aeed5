import { leadInput } from '@sluice/contract/lead/lead';
import { newId } from '@sluice/credentials/ids';
import { createLead } from '@sluice/leads/change/create-lead';
import { describeLead } from '@sluice/leads/fields/describe-lead';
import { findMatch } from '@sluice/leads/match/find-match';
import { expect } from 'chai';
import { ACTOR, made, newAccount, useLeads } from './support.ts';

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
      updated_at: new Date(lead.updated_at).toISOString(),
      stage_changed_at: new Date(lead.created_at).toISOString(),
    });
  });

  it('leaves a lead alone that has another external_id, also when both are created at once', async () => {
    const accountId = newAccount();
    const matchOn = ['external_id', 'email'] as const;
    const create = (external_id: string, name: string) =>
      createLead(used.deps, {
        ...{ ...request, accountId, matchOn, ids: { lead: newId('lead') } },
        input: { name, external_id, email: 'shared@example.org' },
      });
    const ids = ['crm-1', 'crm-2', 'crm-3'];
    const made = await Promise.all(ids.map((id) => create(id, id)));
    expect(made.map(({ status }) => status)).to.deep.equal(['created', 'created', 'created']);
    const again = await create('crm-2', 'Bob');
    expect(again.status).to.equal('changed');
    for (const [id, name] of [
      ['crm-1', 'crm-1'],
      ['crm-2', 'Bob'],
      ['crm-3', 'crm-3'],
    ] as const)
      expect((await used.store.leads.findByExternalId(accountId, id))?.name).to.equal(name);
  });

  it('gives its external_id to a lead with the email that has none', async () => {
    const accountId = newAccount();
    const lead = await made(used.deps, accountId, { email: 'ann@example.org' });
    const changed = await createLead(used.deps, {
      ...{ ...request, accountId, matchOn: ['external_id', 'email'], ids: { lead: newId('lead') } },
      input: { external_id: 'crm-1', email: 'ann@example.org' },
    });
    expect(changed).to.have.nested.property('lead.lead_id', lead.lead_id);
  });

  it('finds a lead by its email with characters that show nothing, and stores it without them', async () => {
    const accountId = newAccount();
    const lead = await made(used.deps, accountId, { email: 'zwsp@example.org' });
    for (const email of [
      'zwsp\u200b@example.org',
      '\u202azwsp@example.org\u202c',
      'zw\u00adsp@example.org ',
    ]) {
      const input = leadInput.parse({ email });
      expect(input).to.deep.equal({ email: 'zwsp@example.org' });
      // Conversations pass on what they got.
      const found = await findMatch(
        used.deps,
        { accountId, input: { email }, matchOn: ['email'] },
        { phone_region: null },
      );
      expect(found?.lead_id).to.equal(lead.lead_id);
    }
  });
});
