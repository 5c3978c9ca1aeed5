import { DEAD_KEY_MS } from '@sluice/contract/subscription/subscription-limits';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { LEASE_MS } from '../queue/limits.ts';
import { awaitForce, editSubscriptions } from './change-guarded.ts';
import type { EditDeps } from './deps.ts';
import { publishAgain } from './publish-again.ts';

type Dead = 'key_revoked' | 'key_expired';

/**
 * Pauses what a revoked or expired key has subscribed. Resolves once nothing more leaves for it. Its tombstones and tests are
 * removed; the rest can be adopted by an admin for 30 days. Idempotent.
 */
export async function pauseForKey(deps: EditDeps, keyId: string, reason: Dead): Promise<void> {
  const own = await deps.subscriptions.listOfKey(keyId);
  const [first] = own;
  if (first === undefined) return;
  const isPaused = own.every((one) => pausedForKey(one, reason, deps.now()) === 'unchanged');
  if (isPaused && (await awaitForce(deps, first.account_id))) return;
  // Also those that are paused: an earlier try may not have published them.
  const ids = own.map(({ subscription_id }) => subscription_id);
  await editSubscriptions(deps, first.account_id, ids, (current) =>
    // Another key may have taken it over meanwhile.
    current.key_id === keyId ? pausedForKey(current, reason, deps.now()) : 'unchanged',
  );
}

type StopDeps = Parameters<typeof pauseForKey>[0] & Parameters<typeof publishAgain>[0];

/** More than there can be concurrent changes of an account. */
const TRIES = 20;

/**
 * The same for a key that was revoked now. If all that it had subscribed is gone, an earlier try may have removed it without
 * publishing that. Throws if MongoDB or Redis fails; then repeat it.
 */
export async function stopForRevokedKey(
  deps: StopDeps,
  { key_id, account_id, scopes }: Pick<ApiKey, 'key_id' | 'account_id' | 'scopes'>,
): Promise<void> {
  await pauseForKey(deps, key_id, 'key_revoked');
  if (!scopes.includes('webhooks') || (await deps.subscriptions.listOfKey(key_id)).length > 0) return;
  for (let tries = 0; tries < TRIES; tries++) {
    if (await awaitForce(deps, account_id)) return;
    if (!(await publishAgain(deps, account_id))) continue;
    // The fence of the earlier try may last on, so that the end of the last lease is not known.
    await deps.sleep(LEASE_MS);
    return;
  }
  throw new Error(`the subscriptions of ${account_id} kept changing after a revocation`);
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
