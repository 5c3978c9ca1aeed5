import { registerReceiverMetrics } from '@sluice/dispatcher/receiver-metrics';
import { createCountWaiting } from '@sluice/outbound/log/count-waiting';
import { INITIAL_STATE, type Result, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import { pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { readHealth } from '@sluice/outbound/subscriptions/subscription-health';
import { createShards } from '@sluice/redis/shards/shards';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { parseExposition } from '../operations/support/exposition.ts';
import { appendLeads, logged, publishAll } from '../outbound/subscriptions/support/messages.ts';
import { addKey, made, useSubscriptions } from '../outbound/subscriptions/support.ts';

describe('dispatcher: what is shown of a receiver that fails', () => {
  const used = useSubscriptions();

  /** Reads what a dispatcher exports so many milliseconds after its start. */
  const reports = () => {
    let clock = 0;
    const metrics = createMetrics({ service: 'dispatcher' });
    const { store, turns } = used;
    registerReceiverMetrics({
      metrics,
      turns,
      countWaiting: createCountWaiting({
        ...{
          redis: used.redis,
          shards: createShards(used.namespace, 1),
          changes: store.outboundChanges,
          messages: store.webhookMessages,
        },
      }),
      subscriptions: store.subscriptions,
      shards: 1,
      now: () => clock,
    });
    return async (at: number) => {
      clock = at;
      const { value } = parseExposition(await metrics.text());
      const stateOf = (state: string) => [state, value('sluice_subscriptions', { state })];
      const states = Object.fromEntries(['active', 'retrying', 'failing', 'paused'].map(stateOf));
      return { ...states, waiting: value('sluice_messages_waiting') };
    };
  };
  const claim = async (): Promise<Turn> => {
    const [turn] = await used.turns.claim({ shard: 0, limit: 1, perTurn: 1 });
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  };

  it('is retrying from its first failure, with the time of the next attempt, until it accepts a message', async () => {
    const reported = reports();
    const { subscription } = await made(used, await addKey(used));
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const health = async () => (await readHealth(used.deps, accountId, [subscriptionId])).get(subscriptionId);
    const nextAttempt = async () => {
      const page = await pageMessages(used.deps, { accountId, subscriptionId, limit: 1 });
      return page.status === 'page' ? page.messages[0]?.next_attempt_at : page.status;
    };
    await publishAll(used, accountId);
    expect(await health()).to.include({ waiting: 0, retrying_since: null });
    await appendLeads(used, subscription, 1);
    const first = await claim();
    const firstFailureAt = Date.now();
    const entry = first.entries[0] as TakenEntry;
    const row = logged(subscription, entry, 'pending');
    await used.store.webhookMessages.logAttempts([{ ...row, next_attempt_at: firstFailureAt }]);
    const again: Result = { number: entry.number, outcome: 'again', dueAt: firstFailureAt };
    const state = { ...INITIAL_STATE, firstFailureAt };
    await used.turns.settle(first, { results: [again], state, more: 0 });
    expect(await health()).to.include({ waiting: 1, retrying_since: firstFailureAt });
    expect(await nextAttempt()).to.be.closeTo(firstFailureAt, 5_000);
    expect(await reported(0)).to.deep.equal({ active: 0, retrying: 1, failing: 0, paused: 0, waiting: 1 });
    const second = await claim();
    await used.store.webhookMessages.logAttempts([logged(subscription, entry, 'delivered')]);
    const results: Result[] = [{ number: entry.number, outcome: 'done' }];
    await used.turns.settle(second, { results, state: INITIAL_STATE, more: 0 });
    expect(await reported(29_999), 'not read at each scrape').to.include({ retrying: 1 });
    expect(await reported(30_000)).to.include({ active: 1, retrying: 0, waiting: 0 });
    expect(await health()).to.include({ retrying_since: null, next_attempt_at: null });
  });
});
