import { HOUR_MS } from '@sluice/contract/time/durations';
import type { TakenEntry, Turn } from '@sluice/outbound/queue/turn';
import { pauseByAdmin, resumeByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import { createShards } from '@sluice/redis/shards/shards';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { appendLeads, logged, publishAll } from '../subscriptions/support/messages.ts';
import { addKey, made, useSubscriptions } from '../subscriptions/support.ts';

/** A number: it is tried again then. Milliseconds since the Unix epoch. */
type Outcome = 'delivered' | 'failed' | number;

/** A busy machine needs a second to append a change and begin a turn. */
const WAIT_MS = 2_000;

describe('redeliveries and tests on the log of an account', () => {
  const used = useSubscriptions();

  /** A subscription with changes of records, such as `a b`. */
  async function subscribed(records: string, body: object = {}) {
    const key = await addKey(used);
    const { subscription } = await made(used, key, body);
    await publishAll(used, key.account_id);
    const names = records.split(' ');
    const ids = await appendLeads(used, subscription, names.length, (n) => names[n - 1] as string);
    return { subscription, ids };
  }
  const redeliver = ({ account_id, subscription_id }: Subscription, messageId: string | undefined) =>
    redeliverMessage(used.deps, {
      ...{ accountId: account_id, subscriptionId: subscription_id, messageId: String(messageId) },
    });
  /** The turn of a subscription; undefined if it is not due. */
  async function claim({ account_id }: Subscription) {
    const turns = await used.turns.claim({ shard: 0, limit: 50, perTurn: 10 });
    return turns.find((one) => one.accountId === account_id);
  }
  async function claimed(subscription: Subscription): Promise<Turn> {
    const turn = await claim(subscription);
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  }
  /** Logs attempts of entries as a dispatcher does, and settles them. */
  async function settle(
    turn: Turn,
    subscription: Subscription,
    outcomes: Readonly<Record<string, Outcome>>,
    { more = 10, entries = turn.entries, probing = false } = {},
  ) {
    const results = [];
    for (const entry of entries) {
      const { number, messageId, redelivery } = entry;
      const outcome = outcomes[messageId] ?? 'delivered';
      await used.store.webhookMessages.logAttempts([rowOf(turn, subscription, entry, outcome)]);
      const over = redelivery && outcome === 'delivered' ? 'resent' : 'done';
      results.push(
        typeof outcome === 'number'
          ? ({ number, outcome: 'again', dueAt: outcome } as const)
          : ({ number, outcome: over } as const),
      );
    }
    return used.turns.settle(turn, { results, state: { ...turn.state, probing }, more });
  }
  function rowOf(turn: Turn, subscription: Subscription, entry: TakenEntry, outcome: Outcome) {
    const row = logged(subscription, entry, typeof outcome === 'number' ? 'pending' : outcome);
    return {
      ...row,
      next_attempt_at: typeof outcome === 'number' ? outcome : null,
      status_stays: entry.redelivery && outcome !== 'delivered',
      attempt: { ...row.attempt, id: `${turn.token}:${entry.number}`, redelivery: entry.redelivery },
    };
  }
  const later = () => Date.now() + HOUR_MS;
  const ids = ({ entries }: { readonly entries: readonly TakenEntry[] }) =>
    entries.map(({ messageId }) => messageId);
  const idsAfter = (settled: Awaited<ReturnType<typeof settle>>) =>
    settled.status === 'go_on' ? ids(settled) : [];
  async function waiting({ subscription_id }: Subscription) {
    const rows = await used.store.webhookMessages.waitingMessages({ subscription_id, limit: 100 });
    const byPlace = [...rows].sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
    return byPlace.map(({ message_id }) => message_id);
  }
  /** The dispatcher of the turn has died: its time is over. */
  const loseTurn = ({ subscription_id }: Subscription) =>
    used.redis.zadd(createShards(used.namespace, 1).first.cursors, 0, subscription_id);

  for (const ordered of [false, true])
    it(`ends the message where it waits once its redelivery was delivered (ordered: ${ordered})`, async () => {
      const { subscription, ids: made } = await subscribed('a a', { ordered });
      const [first = '', second = ''] = made;
      const turn = await claimed(subscription);
      await settle(turn, subscription, { [first]: later(), [second]: later() });
      expect(await redeliver(subscription, first)).to.include({ status: 'queued', leaves: 'now' });
      const next = await claimed(subscription);
      expect(next.entries.map(({ messageId, redelivery }) => [messageId, redelivery])).to.deep.equal([
        [first, true],
      ]);
      // What an ordered subscription held behind it goes on at once.
      expect(idsAfter(await settle(next, subscription, {}))).to.deep.equal(ordered ? [second] : []);
      expect(await waiting(subscription)).to.deep.equal([second]);
    });

  it('releases nothing that waits behind another message of the record', async () => {
    const { subscription, ids: made } = await subscribed('a a a', { ordered: true });
    const [delivered, first = ''] = made;
    const turn = await claimed(subscription);
    const { entries = [] } = (await settle(turn, subscription, {})) as { entries?: TakenEntry[] };
    await settle(turn, subscription, { [first]: later() }, { entries });
    for (const outcome of ['delivered', 'failed'] as const) {
      await redeliver(subscription, delivered);
      const next = await claimed(subscription);
      expect(ids(next)).to.deep.equal([delivered]);
      const settled = await settle(next, subscription, { [String(delivered)]: outcome });
      expect(settled).to.deep.equal({ status: 'ended' });
    }
    expect(await waiting(subscription)).to.deep.equal(made.slice(1));
  });

  it('does not overtake earlier messages of its record in an ordered subscription, and says so', async () => {
    const { subscription, ids: made } = await subscribed('a a', { ordered: true });
    const [first = '', second] = made;
    await settle(await claimed(subscription), subscription, { [first]: later() });
    expect(await redeliver(subscription, second)).to.include({ leaves: 'in_order' });
    expect(await claim(subscription)).to.equal(undefined);
    expect(await redeliver(subscription, first)).to.include({ leaves: 'now' });
  });

  it('ends a turn that runs, and is the first of the next one', async () => {
    const { subscription, ids: made } = await subscribed('a b');
    await settle(await claimed(subscription), subscription, {});
    const more = await appendLeads(used, subscription, 1, () => 'c');
    const turn = await claimed(subscription);
    await redeliver(subscription, made[0]);
    expect(await used.turns.renew(turn)).to.deep.equal({ status: 'stopped', why: 'changed' });
    const given = turn.entries.map(({ number }) => ({ number, outcome: 'given_back' as const }));
    await used.turns.settle(turn, { results: given, state: turn.state, more: 0 });
    const next = await claimed(subscription);
    expect(ids(next)).to.deep.equal([made[0]]);
    expect(idsAfter(await settle(next, subscription, {}))).to.deep.equal(more);
  });

  for (const probing of [false, true])
    it(`waits for a time if it is to be tried again, and the others go on meanwhile (probed: ${probing})`, async () => {
      const { subscription, ids: made } = await subscribed('a');
      const [first = ''] = made;
      await settle(await claimed(subscription), subscription, {});
      await redeliver(subscription, first);
      const turn = await claimed(subscription);
      await settle(turn, subscription, { [first]: Date.now() + WAIT_MS }, { more: 0, probing });
      const [second] = await appendLeads(used, subscription, 1, () => 'b');
      const next = await claimed(subscription);
      expect(ids(next)).to.deep.equal([second]);
      await settle(next, subscription, {}, { more: 0, probing });
      let again: Turn | undefined;
      await until(async () => {
        again = await claim(subscription);
        return again !== undefined;
      });
      expect(again?.entries.map(({ messageId, attempts }) => [messageId, attempts])).to.deep.equal([
        [first, 1],
      ]);
    });

  it('waits while the subscription is paused', async () => {
    const { subscription, ids: made } = await subscribed('a');
    const { account_id, subscription_id } = subscription;
    await settle(await claimed(subscription), subscription, {});
    await pauseByAdmin(used.deps, account_id, subscription_id);
    expect(await redeliver(subscription, made[0])).to.include({ leaves: 'once_active' });
    expect(await claim(subscription)).to.equal(undefined);
    await resumeByAdmin(used.deps, account_id, subscription_id);
    expect(ids(await claimed(subscription))).to.deep.equal(made);
  });

  it('is sent once more if its dispatcher dies before it is settled, and never after that', async () => {
    const { subscription, ids: made } = await subscribed('a');
    await settle(await claimed(subscription), subscription, {});
    await redeliver(subscription, made[0]);
    expect(ids(await claimed(subscription))).to.deep.equal(made);
    await loseTurn(subscription);
    const next = await claimed(subscription);
    expect(ids(next)).to.deep.equal(made);
    await settle(next, subscription, {});
    await loseTurn(subscription);
    expect(ids(await claimed(subscription))).to.deep.equal([]);
  });

  it('is not lost with Redis', async () => {
    const { subscription, ids: made } = await subscribed('a');
    await settle(await claimed(subscription), subscription, {});
    await redeliver(subscription, made[0]);
    await used.redis.del(...(await used.redis.keys(`*${used.namespace}*`)));
    await publishAll(used, subscription.account_id);
    expect(ids(await claimed(subscription))).to.deep.equal(made);
  });

  it('a test is sent for ten minutes', async () => {
    const { subscription } = await subscribed('a');
    const test = { accountId: subscription.account_id, subscriptionId: subscription.subscription_id };
    await settle(await claimed(subscription), subscription, {});
    expect(await testSubscription(used.deps, { ...test, waitMs: 0 })).to.include({ status: 'waiting' });
    used.ahead += 10 * 60_000;
    expect(ids(await claimed(subscription))).to.deep.equal([]);
  });
});
