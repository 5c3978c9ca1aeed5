import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { discardWaiting } from '@sluice/outbound/subscriptions/discard-waiting';
import { pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { claimLoaded } from '../queue/support/claim-loaded.ts';
import { publishAll, pushLeads } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: messages that wait in MongoDB', () => {
  const used = useSubscriptions();
  let mailboxes: Mailboxes;

  /** A mailbox with so little room that most of its 60 messages are in MongoDB. */
  async function full() {
    const deps = { redis: used.redis, shards: createShards(used.namespace, 1) };
    const overflowLimits = { usual: 10, probed: 5, spilledAt: 4, movedAtOnce: 7, loadedRowsMs: 0 };
    mailboxes = createMailboxes({ ...deps, overflowStore: used.store.webhookOverflow, overflowLimits });
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    await publishAll(used, accountId);
    const ids = await pushLeads({ ...used, mailboxes }, subscription, 60);
    return { asked: { accountId, subscriptionId }, ids };
  }
  const waiting = async ({ accountId, subscriptionId }: { accountId: string; subscriptionId: string }) =>
    (await mailboxes.status(accountId, [subscriptionId]))[0]?.waiting;
  const rows = (subscription_id: string) =>
    used.mongo.db.collection('webhook_overflow').find({ subscription_id }).toArray();
  const areRemoved = ({ subscriptionId }: { subscriptionId: string }) =>
    until(async () => (await rows(subscriptionId)).length === 0, { what: 'the rows are removed' });

  it('are counted and listed as all others, page by page', async () => {
    const { asked, ids } = await full();
    expect((await rows(asked.subscriptionId)).length).to.be.above(40);
    expect(await waiting(asked)).to.equal(60);
    const found: string[] = [];
    for (let cursor: { created_at: number; message_id: string } | undefined; ; ) {
      const page = await pageMessages({ ...used.deps, mailboxes }, { ...asked, cursor, limit: 7 });
      if (page.status !== 'page') throw new Error(page.status);
      found.push(...page.messages.map(({ message_id }) => message_id));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(found.sort()).to.deep.equal([...ids].sort());
  });

  it('are delivered in order, and leave nothing behind', async () => {
    const { asked, ids } = await full();
    const taken: string[] = [];
    while (taken.length < ids.length) {
      const turns = await claimLoaded(mailboxes, { shard: 0, limit: 50, perTurn: 4 });
      const turn = turns.find(({ accountId }) => accountId === asked.accountId);
      if (turn === undefined) throw new Error('nothing is due');
      for (let { entries } = turn; entries.length > 0; ) {
        taken.push(...entries.map(({ messageId }) => messageId));
        const results = entries.map(({ number }) => ({ number, outcome: 'done' as const }));
        const settled = await mailboxes.settle(turn, { results, state: turn.state, more: 4 });
        entries = settled.status === 'go_on' ? settled.entries : [];
      }
    }
    expect(taken).to.deep.equal(ids);
    await areRemoved(asked);
    expect(await waiting(asked)).to.equal(0);
  });

  it('are discarded with the others', async () => {
    const { asked, ids } = await full();
    const { webhookMessages } = used.deps;
    const logged: number[] = [];
    const logDiscarded: typeof webhookMessages.logDiscarded = async (messages) => {
      logged.push(messages.length);
      await webhookMessages.logDiscarded(messages);
    };
    const deps = { ...used.deps, mailboxes, webhookMessages: { ...webhookMessages, logDiscarded } };
    const discarded = await discardWaiting(deps, asked);
    expect(discarded).to.include({ status: 'discarded', messages: 60 });
    // Those of MongoDB are not in Redis all at once.
    expect(Math.max(...logged)).to.be.at.most(20);
    const page = await pageMessages(used.deps, { ...asked, status: 'discarded', limit: 100 });
    if (page.status !== 'page') throw new Error(page.status);
    expect(page.messages.map(({ message_id }) => message_id).sort()).to.deep.equal([...ids].sort());
    expect(await waiting(asked)).to.equal(0);
    await areRemoved(asked);
  });
});
