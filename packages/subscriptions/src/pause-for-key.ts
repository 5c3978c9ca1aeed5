import { DEAD_KEY_MS } from '@sluice/contract/subscription-limits';
import type { Subscription } from '@sluice/store/subscription-document';
import { comesIntoForce, editSubscriptions } from './change-guarded.ts';
import type { SubscriptionDeps } from './deps.ts';

type Dead = 'key_revoked' | 'key_expired';

/**
 * Pauses what a revoked or expired key has subscribed. Resolves once nothing more leaves for it. Its tombstones and tests are
 * removed; the rest can be adopted by an admin for 30 days. Idempotent.
 */
export async function pauseForKey(
  deps: Pick<SubscriptionDeps, 'subscriptions' | 'subscriptionDirectory' | 'now' | 'sleep'>,
  keyId: string,
  reason: Dead,
): Promise<void> {
  const own = await deps.subscriptions.listOfKey(keyId);
  const [first] = own;
  if (first === undefined) return;
  const isPaused = own.every((one) => pausedForKey(one, reason, deps.now()) === 'unchanged');
  if (isPaused && (await comesIntoForce(deps, first.account_id))) return;
  // Also those that are paused: an earlier try may not have published them.
  const ids = own.map(({ subscription_id }) => subscription_id);
  await editSubscriptions(deps, first.account_id, ids, (current) =>
    // Another key may have taken it over meanwhile.
    current.key_id === keyId ? pausedForKey(current, reason, deps.now()) : 'unchanged',
  );
}

export function pausedForKey(
  current: Subscription,
  reason: Dead,
  now: number,
): Subscription | 'unchanged' | 'removed' {
  if (current.deleted_at !== undefined || current.ephemeral) return 'removed';
  if (current.paused?.reason === 'key_revoked' || current.paused?.reason === reason) return 'unchanged';
  const { paused } = current;
  const wasByAdmin = paused?.reason === 'by_admin' || paused?.by_admin_before === true;
  const pause = { reason, at: now, ...(wasByAdmin && { by_admin_before: true as const }) };
  return { ...current, paused: pause, expires_at: now + DEAD_KEY_MS, updated_at: now };
}
