import { newId } from '@sluice/credentials/ids';
import { leadKeys } from '@sluice/leads/lead-keys';
import type { Lead } from '@sluice/store/lead-document';
import { expect } from 'chai';
import { useStore } from './support.ts';

describe('leads written and read in batches', () => {
  const used = useStore();
  const lead = (fields: Partial<Lead> = {}): Lead => ({
    ...{ lead_id: newId('lead'), account_id: 'acc_1', name: 'Ada', tags: [], fields: new Map() },
    ...{ stage: 'stg_new', origin: 'api', conversation_id: null, claims: [], untold: [] },
    ...{ created_at: 1, updated_at: 1, stage_changed_at: 1, revision: 1, sequence: 1000 },
    ...fields,
  });
  const insert = (leads: readonly Lead[]) =>
    used.store.leads.insertLeads(leads.map((one) => ({ lead: one, keys: leadKeys(one, null) })));

  it('stores every other lead of a batch in which one is a duplicate', async () => {
    const [first, second, third] = [lead({ claims: ['x'] }), lead({ claims: ['x'] }), lead()];
    expect(await insert([first, second, third])).to.deep.equal(['inserted', 'duplicate', 'inserted']);
    const found = await used.store.leads.findLeadsAnywhere([third, second, first].map((one) => one.lead_id));
    expect(found.map((one) => one?.lead_id)).to.deep.equal([third.lead_id, undefined, first.lead_id]);
  });

  it('finds keys by their hashes, one for each hash asked for', async () => {
    const key = {
      ...{
        key_id: newId('key'),
        account_id: 'acc_1',
        name: 'n',
        prefix: 'slc_live_a',
        hash: 'aa',
        scopes: [],
      },
      ...{ created_at: 1, expires_at: null, revoked_at: null, last_used_at: null, last_used_from: null },
    };
    await used.store.apiKeys.insertApiKey(key);
    expect(await used.store.apiKeys.findApiKeysByHash(['bb', 'aa', 'aa'])).to.deep.equal([
      undefined,
      key,
      key,
    ]);
  });
});
