import { createErasedRecords } from '@sluice/outbound/publish/erased-records';
import { expect } from 'chai';
import { made, newAccount, useLeads } from '../../leads/support.ts';
import { createOutbound, subscription } from './support/use-outbound.ts';

describe('publishing: records that are gone', () => {
  const used = useLeads();

  it('lose the texts of their messages, also of those that wait, and their part of the log', async () => {
    const accountId = newAccount();
    const parts = createOutbound(used);
    const { memory, publisher } = parts;
    parts.subscriptions = [subscription('sub_1')];
    const deps = { ...used.deps, publisher };
    const gone = await made(deps, accountId, { name: 'Ada' });
    const kept = await made(deps, accountId, { name: 'Grace' });
    await publisher.settled();
    const logs: string[] = [];
    const { eraseRecords } = createErasedRecords({
      ...{ ...used.store, directory: memory, mailboxes: memory },
      eraseLog: async (account, ids) => void logs.push(`${account} ${ids}`),
    });
    for (let times = 0; times < 2; times++) await eraseRecords(accountId, [gone.lead_id]);
    const query = { account_id: accountId, kind: 'lead.created', limit: 10 } as const;
    const left = await used.store.outboundChanges.newestChanges(query);
    expect(left.map(({ record_id }) => record_id)).to.deep.equal([kept.lead_id]);
    expect(memory.erased).to.have.length(1);
    expect(logs[0]).to.equal(`${accountId} ${gone.lead_id}`);
  });

  it('lose their texts at the next try if Redis was away', async () => {
    const accountId = newAccount();
    const parts = createOutbound(used);
    const { memory, publisher } = parts;
    parts.subscriptions = [subscription('sub_1')];
    const gone = await made({ ...used.deps, publisher }, accountId, { name: 'Ada' });
    await publisher.settled();
    const erased: string[] = [];
    let away = true;
    const { eraseRecords } = createErasedRecords({
      ...{ ...used.store, directory: memory },
      mailboxes: {
        async eraseChanges(_account, ids) {
          if (away) throw new Error('away');
          erased.push(...ids);
        },
      },
    });
    const erase = () => eraseRecords(accountId, [gone.lead_id]);
    expect(await erase().catch(({ message }: Error) => message)).to.equal('away');
    away = false;
    await erase();
    expect(erased).to.have.length(1);
  });
});
