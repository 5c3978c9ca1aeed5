import { createErasedRecords } from '@sluice/outbound/publish/erased-records';
import { expect } from 'chai';
import { made, newAccount, useLeads } from '../../leads/support.ts';
import { subscription, usePublishing } from './support/use-publishing.ts';

describe('publishing: records that are gone', () => {
  const used = useLeads();
  const publishing = usePublishing();

  it('lose the texts of their messages, also of those that wait, and their part of the log', async () => {
    const accountId = newAccount();
    const parts = publishing.start(used.store);
    const { directory, publisher } = parts;
    parts.subscriptions = [subscription('sub_1')];
    const deps = { ...used.deps, publisher };
    const gone = await made(deps, accountId, { name: 'Ada' });
    const kept = await made(deps, accountId, { name: 'Grace' });
    await publisher.settled();
    const logs: string[] = [];
    const { eraseRecords } = createErasedRecords({
      ...{ ...used.store, directory },
      eraseLog: async (account, ids) => void logs.push(`${account} ${ids}`),
    });
    for (let times = 0; times < 2; times++) await eraseRecords(accountId, [gone.lead_id]);
    const query = { account_id: accountId, kind: 'lead.created', limit: 10 } as const;
    const left = await used.store.outboundChanges.newestChanges(query);
    expect(left.map(({ record_id }) => record_id)).to.deep.equal([kept.lead_id]);
    expect(logs[0]).to.equal(`${accountId} ${gone.lead_id}`);
  });
});
