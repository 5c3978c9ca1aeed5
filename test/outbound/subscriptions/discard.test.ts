import { createDiscard } from '@sluice/outbound/log/discard';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { INITIAL_STATE, type TakenEntry } from '@sluice/outbound/queue/turn';
import { discardWaiting } from '@sluice/outbound/subscriptions/discard-waiting';
import { pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { expect } from 'chai';
import { appendLeads, logged, publishAll, storeChange } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: discarding what waits', () => {
  const used = useSubscriptions();

  /** 600 messages: the first is attempted now, the second waits for its retry, the others for their first attempt. */
  async function waiting() {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    await publishAll(used, accountId);
    const ids = await appendLeads(used, subscription, 600);
    await storeChange(used, subscription, 2);
    const turns = await used.turns.claim({ shard: 0, limit: 10, perTurn: 2 });
    const turn = turns.find((one) => one.accountId === accountId);
    if (turn === undefined) throw new Error('nothing is due');
    const [now, failed] = turn.entries as [TakenEntry, TakenEntry];
    await used.store.webhookMessages.logAttempts([logged(subscription, failed, 'pending')]);
    const again = { number: failed.number, outcome: 'again', dueAt: Date.now() + 60_000 } as const;
    await used.turns.settle(turn, { results: [again], state: turn.state, more: 0 });
    return { asked: { accountId, subscriptionId }, subscription, ids, turn, now };
  }
  const listed = async (
    asked: { accountId: string; subscriptionId: string },
    status: 'pending' | 'discarded',
  ) => {
    const page = await pageMessages(used.deps, { ...asked, status, limit: 1_000 });
    if (page.status !== 'page') throw new Error(page.status);
    return page.messages.map(({ message_id }) => message_id).sort();
  };

  it('ends each message as discarded, with or without an attempt, but not the one that is attempted now', async () => {
    const { asked, subscription, ids, turn, now } = await waiting();
    const discarded = await discardWaiting(used.deps, asked);
    expect(discarded.status === 'discarded' && discarded.messages).to.be.within(599, 600);
    await used.store.webhookMessages.logAttempts([logged(subscription, now, 'delivered')]);
    const done = { number: now.number, outcome: 'done' } as const;
    expect(await used.turns.settle(turn, { results: [done], state: turn.state, more: 9 })).to.deep.equal({
      status: 'ended',
    });
    expect(await listed(asked, 'discarded')).to.deep.equal(ids.slice(1).sort());
    expect(await listed(asked, 'pending')).to.deep.equal([]);
    const resent = await redeliverMessage(used.deps, { ...asked, messageId: ids[1] as string });
    expect(resent).to.include({ status: 'queued', leaves: 'now' });
  });

  it('goes on without a count that runs out of time', async () => {
    const passed: number[] = [];
    const place = {
      subscription: {
        account_id: 'acc_1',
        subscription_id: 'sub_1',
        events: ['*'],
        filter: {},
        created_at: 0,
      } as unknown as PublishedSubscription,
      ...{ after: 0, read: 0, upTo: 9, leaseMs: null, dueAt: null },
    };
    const discard = createDiscard({
      readPlaces: async () => new Map([['sub_1', { ...place, state: INITIAL_STATE }]]),
      ask: async () => undefined,
      cursors: { passUpTo: async (_id, number) => void passed.push(number) },
      changes: {
        countFitting: () => Promise.reject(Object.assign(new Error('slow'), { code: 50 })),
        newestFitting: async () => [],
      },
      messages: {
        countBeyond: async () => 0,
        discardPending: async () => 3,
        logDiscarded: async () => undefined,
      },
    });
    expect(await discard('acc_1', 'sub_1')).to.equal(3);
    expect(passed).to.deep.equal([9]);
  });

  it('sends what comes afterwards only', async () => {
    const { asked, subscription, turn, now } = await waiting();
    await discardWaiting(used.deps, asked);
    const done = { number: now.number, outcome: 'done' } as const;
    await used.turns.settle(turn, { results: [done], state: turn.state, more: 9 });
    const later = await appendLeads(used, subscription, 2, (n) => `lead_later_${n}`);
    const turns = await used.turns.claim({ shard: 0, limit: 10, perTurn: 10 });
    const own = turns.find(({ accountId }) => accountId === asked.accountId);
    expect(own?.entries.map(({ messageId }) => messageId)).to.deep.equal(later);
  });

  it('ends the same messages if it is repeated after its process has died', async () => {
    const { asked, ids } = await waiting();
    const { accountId, subscriptionId } = asked;
    await used.store.webhookCursors.passUpTo(
      subscriptionId,
      await used.store.outboundChanges.lastNumber(accountId),
    );
    const [status] = await used.outbox.status(accountId, [subscriptionId]);
    expect(status, 'only the message with an attempt waits').to.include({ waiting: 1 });
    expect(await discardWaiting(used.deps, asked)).to.include({ status: 'discarded' });
    expect(await listed(asked, 'discarded')).to.deep.equal([...ids].sort());
  });
});
