import { conversationId } from '@sluice/contract/conversation-id';
import { applyConversations } from '@sluice/conversations/apply-conversations';
import { createRaceBackoff } from '@sluice/runtime/timing/delay';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { newAccount, useLeads } from '../leads/support.ts';
import { until } from '../support/until.ts';

describe('writes of conversations that are under way', function () {
  this.timeout(90_000);
  const used = useLeads();
  /** Each write must be known by its own segment, so those of the writes before must have ended. */
  const quiet = () => until(async () => (await used.store.leadSegments.oldest()) === undefined);

  it('are known to every process, so that no list passes them', async () => {
    const accountId = newAccount();
    const source_id = `chn_${accountId}`;
    const { Collection } = mongo;
    const { insertOne, findOneAndUpdate } = Collection.prototype;
    const began = Date.now();
    const seen: (number | undefined)[] = [];
    for (const [name, run] of Object.entries({ insertOne, findOneAndUpdate }))
      Object.assign(Collection.prototype, {
        async [name](this: { collectionName: string }, ...wanted: never[]) {
          if (this.collectionName === 'conversations') seen.push(await used.store.leadSegments.oldest());
          return (run as (...wanted: never[]) => Promise<unknown>).apply(this, wanted);
        },
      });
    try {
      for (const [sequence, subject] of [
        [1_795_000_000_000_000, 'First'],
        [1_795_000_000_001_000, 'Second'],
      ] as const) {
        await quiet();
        await applyConversations(
          {
            ...used.store,
            tell: () => undefined,
            linkSoon: () => undefined,
            backoff: createRaceBackoff(),
            now: Date.now,
          },
          [
            {
              ...{ account_id: accountId, source_id, sequence, received_at: sequence / 1000 },
              action: { kind: 'open', conversation: { external_id: 'c-1', subject } },
            },
          ],
        );
      }
      const conversation_id = conversationId(source_id, 'c-1');
      const { revision = 0 } =
        (await used.store.conversations.findConversation(accountId, conversation_id)) ?? {};
      const link = { lead_id: 'lead_1', updated_at: Date.now() };
      await quiet();
      await used.store.conversationLinks.endWait({ conversation_id, revision }, link);
    } finally {
      Object.assign(Collection.prototype, { insertOne, findOneAndUpdate });
    }
    expect(seen, 'an insert, a change and a link').to.have.length(3);
    for (const at of seen) expect(at).to.be.within(began, Date.now());
  });
});
