import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';
import { isPresent, type KeyReach } from './life.ts';
import { canonicalUrl, urlKey } from './url-key.ts';

/** A subscription, and who asks for it. */
export interface Reached {
  readonly accountId: string;
  readonly subscriptionId: string;
  /** A key reaches only what it, or the key that replaces it, has made. Absent: an admin, who reaches all of the account. */
  readonly keyId?: KeyReach | undefined;
}

/** Whether the caller sees it. Every other one is not found. */
export function isReached(subscription: Subscription, keyId: KeyReach | undefined, now: number): boolean {
  if (!isPresent(subscription, now)) return false;
  return (
    keyId === undefined || (subscription.key_id !== null && [keyId].flat().includes(subscription.key_id))
  );
}

/** The subscription, if the caller reaches it. Throws if MongoDB fails. */
export async function findReached(
  { subscriptions, now }: Pick<SubscriptionDeps, 'subscriptions' | 'now'>,
  { accountId, subscriptionId, keyId }: Reached,
): Promise<Subscription | undefined> {
  const found = await subscriptions.findSubscription(accountId, subscriptionId);
  return found !== undefined && isReached(found, keyId, now()) ? found : undefined;
}

/** The subscription to a URL, if a key reaches it. Throws if MongoDB fails. */
export async function findReachedByUrl(
  { subscriptions, now }: Pick<SubscriptionDeps, 'subscriptions' | 'now'>,
  { accountId, keyId, url }: { readonly accountId: string; readonly keyId: KeyReach; readonly url: string },
): Promise<Subscription | undefined> {
  const found = await subscriptions.findByUrl(accountId, urlKey(canonicalUrl(url)));
  return found !== undefined && isReached(found, keyId, now()) ? found : undefined;
}
