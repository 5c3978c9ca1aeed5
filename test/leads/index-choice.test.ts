import { newId } from '@sluice/credentials/ids';
import { leadKeys } from '@sluice/leads/fields/lead-keys';
import { type ListLeads, listLeads } from '@sluice/leads/list/list-leads';
import type { Lead } from '@sluice/store/leads/lead-document';
import { type LeadQuery, leadQuery } from '@sluice/store/leads/lead-query';
import { expect } from 'chai';
import type { mongo } from 'mongoose';
import { newAccount, useLeads } from './support.ts';

const LEADS = 300;
/** A page and the lead after it. */
const READ = 6;

describe('the index of a list of leads', () => {
  const used = useLeads();
  const accountId = newAccount();
  const lead = (number: number): Lead => ({
    ...{ lead_id: newId('lead'), account_id: accountId, name: `Ada Number${number}`, tags: ['fair'] },
    ...{
      email: `ada${number}@example.com`,
      phone: `+49 30 ${1_000_000 + number}`,
      external_id: `x-${number}`,
    },
    ...{ fields: new Map(), stage: 'stg_new', origin: 'api', conversation_id: null, claims: [], untold: [] },
    ...{ created_at: number, updated_at: number, stage_changed_at: number, revision: 1, sequence: number },
  });
  before(async () => {
    const leads = Array.from({ length: LEADS }, (_, number) => lead(number));
    await used.store.leads.writeLeads(
      leads.map((one) => ({ lead: one, keys: leadKeys(one, null), changes: [] })),
    );
    await used.mongo.db.collection<mongo.Document & { _id: string }>('leads').bulkWrite(
      leads.map(({ lead_id: _id, updated_at }) => ({
        updateOne: { filter: { _id }, update: { $set: { updated_at: new Date(updated_at) } } },
      })),
    );
  });

  /** The query that a list sends. */
  async function queryOf(list: Partial<ListLeads>): Promise<LeadQuery> {
    let query: LeadQuery | undefined;
    const leadSearch = {
      ...used.store.leadSearch,
      async pageLeads(...[filter, page]: Parameters<typeof used.store.leadSearch.pageLeads>) {
        query = leadQuery(filter, page);
        return { items: [], more: false };
      },
    };
    const page = { by: 'created_at', descending: true, limit: READ - 1, ...list } as const;
    await listLeads({ ...used.deps, leadSearch }, { accountId, filter: {}, ...page });
    return query as LeadQuery;
  }

  async function explain({ filter, sort }: LeadQuery) {
    const cursor = used.mongo.db.collection<mongo.Document & { _id: string }>('leads').find(filter as object);
    const explained = await cursor.sort(sort).limit(READ).explain('executionStats');
    const plan = JSON.stringify(explained.queryPlanner.winningPlan);
    return { plan, read: explained.executionStats.totalKeysExamined as number };
  }

  const cases: Readonly<Record<string, Partial<ListLeads>>> = {
    'the newest leads': {},
    'the oldest leads': { descending: false },
    'the page after a lead': { after: { at: 200, lead_id: 'lead_x' } },
    'the page after a lead, oldest first': { descending: false, after: { at: 200, lead_id: 'lead_x' } },
    'the leads changed since an instant': { by: 'updated_at', descending: false, updatedSince: 100 },
    'the leads of a stage': { filter: { stage: 'stg_new' } },
    'the leads with a tag': { filter: { tag: 'fair' } },
    'the leads of a stage in the order of changes': { by: 'updated_at', filter: { stage: 'stg_new' } },
    'the lead with an email': { filter: { email: 'ADA7@example.com' } },
    'the lead with a phone number': { filter: { phone: '030 1000007' } },
    'the lead with an external id': { filter: { external_id: 'x-7' } },
    'a word that many leads have': { filter: { q: 'ad' } },
    'a word that few leads have': { filter: { q: 'ada7@example' } },
  };
  for (const [name, list] of Object.entries(cases))
    it(`reads no more than ${name}`, async () => {
      const { plan, read } = await explain(await queryOf(list));
      expect(plan).not.to.contain('COLLSCAN');
      // One lead needs no order.
      if (read > 1) expect(plan).not.to.contain('"SORT"');
      // The lead after which a page begins is read too.
      expect(read).to.be.at.most(READ + 1);
    });
});
