import { messageId } from '@sluice/contract/message/outbound-ids';
import { recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import {
  appendChanges,
  appendLeads,
  leadChange,
  logged,
  publishAll,
  storeChange,
} from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: recover', () => {
  const used = useSubscriptions();

  const recover = (subscription: Subscription, since: number, max?: number) =>
    recoverMessages(used.deps, {
      ...{ accountId: subscription.account_id, subscriptionId: subscription.subscription_id, since },
      ...(subscription.key_id !== null && { keyId: subscription.key_id }),
      ...(max !== undefined && { max }),
    });
  /** The rows of messages that wait, in the order of their places. */
  async function waiting({ subscription_id }: Subscription) {
    const rows = await used.store.webhookMessages.waitingMessages({ subscription_id, limit: 20_000 });
    return [...rows].sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  }
  /** The turn of a subscription. Those of other tests are due too. */
  async function claim({ account_id }: Subscription) {
    const turns = await used.turns.claim({ shard: 0, limit: 50, perTurn: 10 });
    const turn = turns.find((one) => one.accountId === account_id);
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  }
  async function subscribed(body: object = {}) {
    const key = await addKey(used);
    const { subscription } = await made(used, key, body);
    await publishAll(used, key.account_id);
    return subscription;
  }

  it('sends again what failed, was discarded or lost, and neither what was delivered nor what waits', async () => {
    const subscription = await subscribed();
    const { subscription_id } = subscription;
    const lead = (n: number) => leadChange(subscription, n, { recordId: `lead_${n}` });
    await appendChanges(used, [1, 2, 3, 4, 5].map(lead));
    await appendChanges(used, [{ ...lead(6), kind: 'lead.updated' }]);
    const row = (n: number, status: 'delivered' | 'failed' | 'erased' | 'discarded', attempt = '1') => {
      const { change_id } = lead(n);
      const entry = { changeId: change_id, messageId: messageId(change_id, subscription_id), number: n };
      const rest = { kind: 'lead.created', recordId: `lead_${n}`, pushedAt: Date.now() };
      const made = logged(subscription, { ...entry, ...rest }, status);
      return { ...made, attempt: { ...made.attempt, id: attempt } };
    };
    const last = await used.store.outboundChanges.lastNumber(subscription.account_id);
    await used.store.webhookCursors.passUpTo(subscription_id, last);
    const failed = [row(3, 'failed'), row(3, 'failed', '2')];
    await used.store.webhookMessages.logAttempts([row(2, 'delivered'), ...failed, row(4, 'erased')]);
    await used.store.webhookMessages.logAttempts([row(5, 'discarded')]);
    await appendChanges(used, [lead(7)]);
    const first = await recover(subscription, 0);
    expect(first).to.deep.include({ status: 'queued', messages: 3, more: false });
    expect((await waiting(subscription)).map(({ record_id }) => record_id)).to.deep.equal([
      ...['lead_1', 'lead_3', 'lead_5'],
    ]);
    expect(await recover(subscription, 0)).to.deep.include({ messages: 0, more: false });
    const turn = await claim(subscription);
    const taken = turn.entries.map(({ recordId, recovered, attempts }) => [recordId, recovered, attempts]);
    // The attempts before do not count, so each has all attempts of a new message.
    expect(taken.sort()).to.deep.equal([
      ['lead_1', true, 0],
      ['lead_3', true, 0],
      ['lead_5', true, 0],
    ]);
    const results = turn.entries.map(({ number }) => ({ number, outcome: 'done' as const }));
    await used.store.webhookMessages.logAttempts(
      turn.entries.map((entry) => logged(subscription, entry, 'delivered')),
    );
    const next = await used.turns.settle(turn, { results, state: turn.state, more: 10 });
    expect(next.status === 'go_on' && next.entries.map(({ recordId }) => recordId)).to.deep.equal(['lead_7']);
  });

  it('goes back no further than the log of messages: what was delivered before has no row any more', async () => {
    const subscription = await subscribed();
    const at = subscription.created_at;
    const day = 86_400_000;
    try {
      await storeChange(used, subscription, 1, { recordId: 'lead_1', at: at + 1 });
      await storeChange(used, subscription, 2, { recordId: 'lead_2', at: at + 2 * day });
      used.ahead = 31 * day;
      const recovered = await recover(subscription, 0);
      if (recovered.status !== 'queued') throw new Error(recovered.status);
      expect(recovered.messages).to.equal(1);
      expect(recovered.since).to.be.within(at + day, at + 2 * day);
      expect((await waiting(subscription)).map(({ record_id }) => record_id)).to.deep.equal(['lead_2']);
    } finally {
      used.ahead = 0;
    }
  });

  it('sends what a call before had stored when Redis went away', async () => {
    const subscription = await subscribed();
    await appendChanges(used, [leadChange(subscription, 1, { recordId: 'lead_1' })]);
    const first = await claim(subscription);
    const rows = first.entries.map((entry) => logged(subscription, entry, 'failed'));
    await used.store.webhookMessages.logAttempts(rows);
    const results = first.entries.map(({ number }) => ({ number, outcome: 'done' as const }));
    await used.turns.settle(first, { results, state: first.state, more: 0 });
    const pushRecovered: typeof used.outbox.pushRecovered = async (
      ...[account_id, subscription_id, found]
    ) => {
      const rows = found.map(({ messageId: message_id, changeId: change_id, recordId: record_id, kind }) => ({
        ...{ account_id, subscription_id, message_id, change_id, record_id, kind, place: 1 },
        ...{ created_at: Date.now(), next_attempt_at: Date.now() },
      }));
      await used.store.webhookMessages.addRecovered(rows);
      throw new Error('Connection is closed.');
    };
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const failing = { ...used.deps, outbox: { ...used.outbox, pushRecovered } };
    const error = await recoverMessages(failing, { accountId, subscriptionId, since: 0 }).catch(String);
    expect(error).to.include('Connection is closed.');
    expect(await recover(subscription, 0)).to.deep.include({ messages: 0 });
    expect((await claim(subscription)).entries.map(({ recordId }) => recordId)).to.deep.equal(['lead_1']);
  });

  it('sends nothing again that is published meanwhile', async () => {
    const subscription = await subscribed();
    const waitingMessages: typeof used.outbox.waitingMessages = async (...args) => {
      const found = await used.outbox.waitingMessages(...args);
      await appendLeads(used, subscription, 1);
      return found;
    };
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const deps = { ...used.deps, outbox: { ...used.outbox, waitingMessages } };
    const recovered = await recoverMessages(deps, { accountId, subscriptionId, since: 0 });
    expect(recovered).to.deep.include({ messages: 0, more: false });
    expect(await waiting(subscription)).to.deep.equal([]);
  });

  it('never goes back before the subscription was created or taken over', async () => {
    const subscription = await subscribed();
    const before = { recordId: 'lead_before', at: subscription.created_at - 1 };
    await storeChange(used, subscription, 1, before);
    await storeChange(used, subscription, 2, { recordId: 'lead_first', at: subscription.created_at });
    used.ahead = 10_000;
    const { subscription: taken } = await made(used, await addKey(used, subscription.account_id));
    await storeChange(used, taken, 3, { recordId: 'lead_second', at: taken.taken_over_at as number });
    expect(await recover(subscription, 0)).to.deep.equal({ status: 'not_found' });
    expect(await recover(taken, 0)).to.deep.include({ messages: 1 });
    expect((await waiting(taken)).map(({ record_id }) => record_id)).to.deep.equal(['lead_second']);
    // An admin too: the present owner has the URL and the secret.
    expect(await recover({ ...taken, key_id: null }, 0)).to.deep.include({ messages: 0 });
  });

  it('goes on where the previous call ended, also if many changes have one time', async () => {
    const subscription = await subscribed({ events: ['*'] });
    const changes = Array.from({ length: 1700 }, (_, n) =>
      leadChange(subscription, n, {
        recordId: `lead_${n}`,
        at: subscription.created_at + Math.floor(n / 600),
      }),
    );
    await used.store.outboundChanges.appendChanges(changes);
    let since = 0;
    let calls = 0;
    for (let more = true; more; calls++) {
      const result = await recover(subscription, since, 500);
      if (result.status !== 'queued') throw new Error(result.status);
      expect(result.until).to.be.above(since);
      ({ more, until: since } = result);
    }
    expect(calls).to.be.within(2, 4);
    const entries = await waiting(subscription);
    expect(new Set(entries.map(({ message_id }) => message_id)).size).to.equal(1700);
    expect(entries).to.have.length(1700);
  });

  it('an ordered subscription gets the messages of a record by sequence, also those that wait', async () => {
    const subscription = await subscribed({ ordered: true });
    const at = subscription.created_at;
    await appendChanges(
      used,
      [5, 6].map((n) => leadChange(subscription, n)),
    );
    for (const n of [3, 1, 4, 2]) await storeChange(used, subscription, n, { at: at + n });
    expect(await recover(subscription, 0)).to.deep.include({ messages: 4 });
    await appendChanges(used, [leadChange(subscription, 7)]);
    const turn = await claim(subscription);
    const sent: string[] = [];
    for (let { entries } = turn; ; ) {
      expect(entries).to.have.length(1);
      sent.push(...entries.map(({ messageId: id }) => id));
      await used.store.webhookMessages.logAttempts(
        entries.map((entry) => logged(subscription, entry, 'delivered')),
      );
      const results = entries.map(({ number }) => ({ number, outcome: 'done' as const }));
      const settled = await used.turns.settle(turn, { results, state: turn.state, more: 3 });
      if (settled.status !== 'go_on') break;
      ({ entries } = settled);
    }
    const idOf = (n: number) =>
      messageId(leadChange(subscription, n).change_id, subscription.subscription_id);
    expect(sent).to.deep.equal([1, 2, 3, 4, 5, 6, 7].map(idOf));
  });

  it('publishes the subscription again if Redis has lost it', async () => {
    const subscription = await subscribed();
    await storeChange(used, subscription, 1, { at: subscription.created_at });
    const keys = await used.redis.keys(`*${used.namespace}*`);
    await used.redis.del(...keys);
    expect(await recover(subscription, 0)).to.deep.include({ messages: 1 });
    expect(await waiting(subscription)).to.have.length(1);
  });
});
