import type { TakenEntry } from '@sluice/outbound/queue/turn';
import { usesLog } from '@sluice/outbound/queue/uses-log';
import { discardWaiting, finishDiscarding } from '@sluice/outbound/subscriptions/discard-waiting';
import { pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { expect } from 'chai';
import { logged, publishAll, pushLeads, storeChange } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: discarding what waits', () => {
  const used = useSubscriptions();

  /** 600 messages: the first is attempted now, the second waits for its retry, the others for their first attempt. */
  async function waiting() {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    await publishAll(used, accountId);
    const ids = await pushLeads(used, subscription, 600);
    await storeChange(used, subscription, 2);
    const turns = await used.mailboxes.claim({ shard: 0, limit: 10, perTurn: 2 });
    const turn = turns.find((one) => one.accountId === accountId);
    if (turn === undefined) throw new Error('nothing is due');
    const [now, failed] = turn.entries as [TakenEntry, TakenEntry];
    await used.store.webhookMessages.logAttempts([logged(subscription, failed, 'pending')]);
    const again = { number: failed.number, outcome: 'again', dueAt: Date.now() + 60_000 } as const;
    await used.mailboxes.settle(turn, { results: [again], state: turn.state, more: 0 });
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
    expect(await used.mailboxes.settle(turn, { results: [done], state: turn.state, more: 9 })).to.deep.equal({
      status: 'ended',
    });
    expect(await listed(asked, 'discarded')).to.deep.equal(ids.slice(1).sort());
    expect(await listed(asked, 'pending')).to.deep.equal([]);
    const resent = await redeliverMessage(used.deps, { ...asked, messageId: ids[1] as string });
    expect(resent).to.include({ status: 'queued', leaves: 'now' });
  });

  const onLog = (...one: Parameters<typeof it>) => usesLog() && it(...one);
  const inMailboxes = (...one: Parameters<typeof it>) => usesLog() || it(...one);

  onLog('sends what comes afterwards only', async () => {
    const { asked, subscription, turn, now } = await waiting();
    await discardWaiting(used.deps, asked);
    const done = { number: now.number, outcome: 'done' } as const;
    await used.mailboxes.settle(turn, { results: [done], state: turn.state, more: 9 });
    const later = await pushLeads(used, subscription, 2, (n) => `lead_later_${n}`);
    const turns = await used.mailboxes.claim({ shard: 0, limit: 10, perTurn: 10 });
    const own = turns.find(({ accountId }) => accountId === asked.accountId);
    expect(own?.entries.map(({ messageId }) => messageId)).to.deep.equal(later);
  });

  onLog('ends the same messages if it is repeated after its process has died', async () => {
    const { asked, ids } = await waiting();
    const { accountId, subscriptionId } = asked;
    await used.store.webhookCursors.passUpTo(
      subscriptionId,
      await used.store.outboundChanges.lastNumber(accountId),
    );
    const [status] = await used.mailboxes.status(accountId, [subscriptionId]);
    expect(status, 'only the message with an attempt waits').to.include({ waiting: 1 });
    expect(await discardWaiting(used.deps, asked)).to.include({ status: 'discarded' });
    expect(await listed(asked, 'discarded')).to.deep.equal([...ids].sort());
  });

  inMailboxes('finishes it after a process has died on the way', async () => {
    const { asked, ids } = await waiting();
    expect(await used.mailboxes.discard(asked.accountId, asked.subscriptionId)).to.equal(599);
    const part = await used.mailboxes.nextDiscarded(asked.accountId, asked.subscriptionId, 10);
    await part.forget();
    // Another process has had the same part, and is late.
    await part.forget();
    await finishDiscarding(used.deps);
    expect(await listed(asked, 'discarded')).to.have.length(ids.length - 11);
    expect(await used.mailboxes.discarding()).to.deep.equal([]);
  });

  inMailboxes('finishes it with the sweep, also if that cannot look at revoked keys', async () => {
    const { asked } = await waiting();
    await used.mailboxes.discard(asked.accountId, asked.subscriptionId);
    const revokedAmong = () => Promise.reject(new Error('MongoDB is slow'));
    const apiKeys = { ...used.deps.apiKeys, revokedAmong };
    const swept = sweepSubscriptions({ ...used.deps, apiKeys });
    expect(await swept.catch(({ message }: Error) => message)).to.equal(
      'pausing for revoked keys: MongoDB is slow',
    );
    expect(await listed(asked, 'discarded')).to.have.length(599);
  });
});
