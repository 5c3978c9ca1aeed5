import { leadKeys } from '@sluice/leads/fields/lead-keys';
import type { Lead } from '@sluice/store/leads/lead-document';
import { expect } from 'chai';
import { storedLead, useStore } from './support.ts';

describe('store: leads in batches', () => {
  const used = useStore();
  const insert = (leads: readonly Lead[]) =>
    used.store.leads.writeLeads(leads.map((one) => ({ lead: one, keys: leadKeys(one, null), changes: [] })));
  const statuses = (outcomes: Awaited<ReturnType<typeof insert>>) =>
    outcomes.map((outcome) => 'status' in outcome && outcome.status);

  it('stores every other lead of a batch in which one is a duplicate', async () => {
    const [first, second, third] = [
      storedLead({ claims: ['x'] }),
      storedLead({ claims: ['x'] }),
      storedLead(),
    ];
    expect(statuses(await insert([first, second, third]))).to.deep.equal(['stored', 'duplicate', 'stored']);
    const found = await used.store.leads.findLeadsAnywhere([third, second, first].map((one) => one.lead_id));
    expect(found.map((one) => one?.lead_id)).to.deep.equal([third.lead_id, undefined, first.lead_id]);
  });

  const change = (one: Lead, fields: Partial<Lead>, at: number) => {
    const next = { ...one, ...fields, revision: one.revision + 1, sequence: at * 1000 };
    const actor = { type: 'system', id: 'test' } as const;
    const told = { sequence: next.sequence, kind: 'lead.updated', at, actor, data: {} } as const;
    return { lead: next, keys: leadKeys(next, null), changes: [told] };
  };

  it('changes every other lead of a batch in which one was changed meanwhile, erased or never stored', async () => {
    const [kept, changed, erased, unknown] = [storedLead(), storedLead(), storedLead(), storedLead()];
    await insert([kept, changed, erased]);
    await used.store.leads.writeLead(change(changed, { company: 'First' }, 2));
    const end = change(erased, {}, 2).changes[0];
    await used.store.leadErasure.eraseLead(erased, { ...(end as typeof end & object), kind: 'lead.erased' });
    const outcomes = await used.store.leads.writeLeads(
      [kept, changed, erased].map((one) => change(one, { company: 'Second' }, 3)),
    );
    expect(statuses(outcomes)).to.deep.equal(['stored', 'duplicate', 'duplicate']);
    const found = await used.store.leads.findLeadsAnywhere(
      [kept, changed, erased, unknown].map((one) => one.lead_id),
    );
    expect(found.map((one) => one?.company)).to.deep.equal(['Second', 'First', undefined, undefined]);
    expect({ status: 'stored', lead: found[0] }).to.deep.equal(outcomes[0]);
  });

  it('keeps the stored keys of a lead whose change has none', async () => {
    const one = storedLead({ account_id: 'acc_2', email: 'kept@example.com' });
    await insert([one]);
    await used.store.leads.writeLeads([{ ...change(one, { company: 'New' }, 2), keys: undefined }]);
    const found = await used.store.leads.findOldest('acc_2', ['e:kept@example.com']);
    expect(found?.company).to.equal('New');
  });

  it('finds the oldest lead of each word, also where many leads have one', async () => {
    const leads = Array.from({ length: 60 }, (_, i) =>
      storedLead({
        account_id: 'acc_3',
        email: i < 50 ? 'common@example.com' : `rare${i}@example.com`,
        created_at: 100 - i,
      }),
    );
    await insert(leads);
    const words = ['e:common@example.com', 'e:rare55@example.com', 'e:unknown@example.com'];
    for (const asked of [words, words.slice(1)]) {
      const found = await used.store.leads.findOldestOfEach(
        'acc_3',
        asked.map((word) => [word]),
      );
      const alone = await Promise.all(asked.map((word) => used.store.leads.findOldest('acc_3', [word])));
      expect(found).to.deep.equal(alone);
      expect(alone.at(-1)).to.equal(undefined);
    }
    const found = await used.store.leads.findOldest('acc_3', ['e:common@example.com']);
    expect(found?.lead_id).to.equal(leads[49]?.lead_id);
  });
});
