import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import type { SubscriptionDeps } from './deps.ts';
import { loadPublication } from './publication.ts';

/**
 * Publishes all subscriptions of an account again, from MongoDB. Redis has lost them, or has begun another run. False: another change
 * ran meanwhile. Throws if a store fails. `prepare` is called with them before they are published.
 */
export function publishAgain(
  deps: Pick<
    SubscriptionDeps,
    'subscriptions' | 'sources' | 'outboundChanges' | 'subscriptionDirectory' | 'now'
  >,
  accountId: string,
  prepare?: (subscriptions: readonly PublishedSubscription[]) => Promise<void>,
): Promise<boolean> {
  return deps.subscriptionDirectory.republish(accountId, async () => {
    const publication = await loadPublication(deps, accountId);
    await prepare?.(publication.put);
    return publication;
  });
}

/**
 * Asks for something that needs the subscription in Redis. It is published again if Redis has lost it. Throws if a store fails, or if the
 * subscription is removed at the same time.
 */
export async function whenPublished<Pushed extends string | undefined>(
  deps: Parameters<typeof publishAgain>[0],
  { account_id, subscription_id }: Pick<Subscription, 'account_id' | 'subscription_id'>,
  push: () => Promise<Pushed | 'absent'>,
): Promise<Pushed> {
  const pushed = await push();
  if (pushed !== 'absent') return pushed;
  await publishAgain(deps, account_id);
  const again = await push();
  if (again === 'absent') throw new Error(`the subscription ${subscription_id} is not published`);
  return again;
}
