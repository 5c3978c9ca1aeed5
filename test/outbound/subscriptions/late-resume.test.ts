import {
  changeSubscription,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/outbound/subscriptions/change-subscription';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { addKey, made, publishedOf, useSubscriptions } from './support.ts';

type Resume = (deps: SubscriptionDeps, subscription: Subscription) => Promise<unknown>;

const RESUMES: readonly (readonly [who: string, resume: Resume])[] = [
  ['an admin', (deps, { account_id, subscription_id }) => resumeByAdmin(deps, account_id, subscription_id)],
  [
    'a change of an admin',
    (deps, { account_id: accountId, subscription_id: subscriptionId }) =>
      changeSubscription(deps, { accountId, subscriptionId, patch: { active: true, name: 'Renamed' } }),
  ],
];

describe('subscriptions: a resume that comes late', () => {
  const used = useSubscriptions();

  for (const [who, resume] of RESUMES)
    it(`does not lift a pause that was confirmed meanwhile: by ${who}`, async () => {
      const key = await addKey(used);
      const { subscription } = await made(used, key, { active: false });
      const { account_id, subscription_id } = subscription;
      let others = 1;
      const slow = {
        ...used.directory,
        // Before its write, and after it has read the subscription.
        async fence(accountId: string) {
          if (others-- > 0) await pauseByAdmin(used.deps, account_id, subscription_id);
          return used.directory.fence(accountId);
        },
      };
      await resume({ ...used.deps, subscriptionDirectory: slow }, subscription);
      const stored = await used.store.subscriptions.findSubscription(account_id, subscription_id);
      expect(stored?.paused).to.include({ reason: 'by_admin' });
      expect(await publishedOf(used, subscription_id)).to.include({ paused: 'by_admin' });
      await resume(used.deps, subscription);
      expect(await publishedOf(used, subscription_id)).to.include({ paused: null });
    });
});
