import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { isReached } from './change-subscription.ts';
import type { SubscriptionDeps } from './deps.ts';
import type { KeyReach } from './life.ts';

/** A subscription, and who asks for it. */
export interface Reached {
  readonly accountId: string;
  readonly subscriptionId: string;
  /** A key reaches only what it, or the key that replaces it, has made. Absent: an admin, who reaches all of the account. */
  readonly keyId?: KeyReach | undefined;
}

/** The subscription, if the caller reaches it. Throws if MongoDB fails. */
export async function findReached(
  { subscriptions, now }: Pick<SubscriptionDeps, 'subscriptions' | 'now'>,
  { accountId, subscriptionId, keyId }: Reached,
): Promise<Subscription | undefined> {
  const found = await subscriptions.findSubscription(accountId, subscriptionId);
  return found !== undefined && isReached(found, keyId, now()) ? found : undefined;
}
