import { pauseByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { markFailing } from '@sluice/outbound/subscriptions/pause-for-receiver';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { logged } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: test', () => {
  const used = useSubscriptions();

  const test = ({ account_id, subscription_id, key_id }: Subscription, more: object = {}) =>
    testSubscription(used.deps, {
      ...{ accountId: account_id, subscriptionId: subscription_id, keyId: key_id ?? undefined },
      ...more,
    });
  /** The clock of the domain goes on while it sleeps. Its first pause attempts what is due. */
  function attempting(subscription: Subscription) {
    const bodies: Record<string, unknown>[] = [];
    used.deps = {
      ...used.deps,
      async sleep(ms) {
        used.ahead += ms;
        for (const turn of await used.turns.claim({ shard: 0, limit: 50, perTurn: 10 })) {
          for (const entry of turn.entries) {
            bodies.push(JSON.parse(`{${entry.text}`));
            await used.store.webhookMessages.logAttempts([logged(subscription, entry, 'delivered')]);
          }
          const results = turn.entries.map(({ number }) => ({ number, outcome: 'done' as const }));
          await used.turns.settle(turn, { results, state: turn.state, more: 0 });
        }
      },
    };
    return bodies;
  }

  it('sends a made-up message of a kind, with another id and sequence each time', async () => {
    const { subscription } = await made(used, await addKey(used));
    const bodies = attempting(subscription);
    const first = await test(subscription, { kind: 'lead.created' });
    if (first.status !== 'answered') throw new Error(first.status);
    expect(bodies[0]).to.deep.include({ type: 'lead.created', actor: { type: 'system', id: 'sample' } });
    const second = await test(subscription, { kind: 'lead.created', waitMs: 0 });
    if (second.status !== 'waiting') throw new Error(second.status);
    expect(second.message_id).not.to.equal(first.message_id);
  });

  it('a paused subscription gets no test, and a failing one does', async () => {
    const { subscription } = await made(used, await addKey(used));
    const { account_id, subscription_id } = subscription;
    await markFailing(used.deps, { accountId: account_id, subscriptionId: subscription_id, detail: 'Down.' });
    attempting(subscription);
    expect((await test(subscription)).status).to.equal('answered');
    await pauseByAdmin(used.deps, account_id, subscription_id);
    expect(await test(subscription)).to.deep.equal({ status: 'stopped', why: 'by_admin' });
    const keyId = (await addKey(used, account_id)).key_id;
    expect(await test(subscription, { keyId })).to.deep.equal({ status: 'not_found' });
  });
});
