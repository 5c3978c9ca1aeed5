import type { Subscription } from '@sluice/store/subscription-document';
import { changeSubscription } from '@sluice/subscriptions/change-subscription';
import type { SubscriptionDeps } from '@sluice/subscriptions/deps';
import { pauseForKey } from '@sluice/subscriptions/pause-for-key';
import { expect } from 'chai';
import { publishAll, pushLeads } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

type Change = (deps: SubscriptionDeps, subscription: Subscription) => Promise<unknown>;

const CHANGES: readonly (readonly [what: string, why: string, change: Change])[] = [
  [
    'pause',
    'by_admin',
    (deps, { account_id: accountId, subscription_id: subscriptionId }) =>
      changeSubscription(deps, { accountId, subscriptionId, patch: { active: false } }),
  ],
  ['revocation', 'key_revoked', (deps, { key_id }) => pauseForKey(deps, String(key_id), 'key_revoked')],
];

describe('subscriptions: the repeat of a change that was stored, but not published', () => {
  const used = useSubscriptions();

  for (const [what, why, change] of CHANGES)
    it(`is in force once it resolves: a ${what}`, async () => {
      const key = await addKey(used);
      const { subscription } = await made(used, key, {});
      const { account_id, subscription_id } = subscription;
      await publishAll(used, account_id);
      await pushLeads(used, subscription, 1);
      const turns = await used.mailboxes.claim({ shard: 0, limit: 100, perTurn: 10 });
      const turn = turns.find((one) => one.subscription.subscription_id === subscription_id);
      if (turn === undefined) throw new Error('nothing is due');
      const publish = () => Promise.reject(new Error('Redis is away'));
      const failing = { ...used.deps, subscriptionDirectory: { ...used.directory, publish } };
      const first = await change(failing, subscription).catch(({ message }: Error) => message);
      expect(first).to.equal('Redis is away');
      expect((await used.mailboxes.renew(turn)).status).to.equal('leased');

      used.slept = [];
      await change(used.deps, subscription);
      expect(await used.mailboxes.renew(turn)).to.deep.equal({ status: 'stopped', why });
      expect(used.slept[0], 'it waits for the lease').to.be.within(1, 1000);
    });
});
