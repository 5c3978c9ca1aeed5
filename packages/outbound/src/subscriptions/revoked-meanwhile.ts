import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';
import { nextVersion } from './next-version.ts';
import { pausedForKey } from './pause-for-key.ts';
import type { WantedSubscription } from './plan-create.ts';

/** More than there can be concurrent changes of one subscription. */
const TRIES = 200;

/**
 * The revoked ones of the keys that a create is made with: that of the owner, and the one that it replaces and that asked. An
 * admin has no key.
 */
export async function revokedOf(
  { apiKeys }: SubscriptionDeps,
  { keyId, replacedKeyId }: Pick<WantedSubscription, 'keyId' | 'replacedKeyId'>,
): Promise<readonly string[]> {
  const keys = [keyId, replacedKeyId].filter((id) => id !== null && id !== undefined);
  const found = await Promise.all(keys.map((id) => apiKeys.findApiKey(id)));
  return keys.filter((_, at) => found[at]?.revoked_at !== null);
}

/** Restores what a create has replaced. The revocation of the key may have changed or removed the subscription meanwhile. */
export async function takeBack(
  deps: SubscriptionDeps,
  { account_id, subscription_id, key_id }: Subscription,
  { before, revoked }: { readonly before: Subscription | undefined; readonly revoked: readonly string[] },
): Promise<void> {
  const { subscriptions, now } = deps;
  const isOfRevoked = before !== undefined && before.key_id !== null && revoked.includes(before.key_id);
  const paused = isOfRevoked ? pausedForKey(before, 'key_revoked', now()) : before;
  const next = paused === 'unchanged' ? before : paused;
  for (let round = 0; round < TRIES; round++) {
    const current = await subscriptions.findSubscription(account_id, subscription_id);
    // A create of another key came first, or the end of the subscription.
    if (current?.key_id !== key_id) return;
    const isRestored =
      next === undefined || next === 'removed'
        ? await subscriptions.removeSubscription(current)
        : (await subscriptions.replaceSubscription(await nextVersion(deps, current, next))) === 'replaced';
    if (isRestored) return;
  }
  throw new Error(`the subscription ${subscription_id} kept changing`);
}
