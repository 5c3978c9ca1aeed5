import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { isLiveKey } from '@sluice/store/accounts/live-key';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { editSubscriptions } from './change-guarded.ts';
import type { EditDeps, SubscriptionDeps } from './deps.ts';
import { isDeadKey } from './life.ts';

/**
 * Gives the subscriptions of a key to the key that replaces it, so that the end of the old one pauses none, and lifts such pauses. Messages stay signed
 * with the same secrets. Tombstones stay with the old key, which revives them for the new one. Idempotent. Returns how many changed
 * hands. Throws if MongoDB or Redis fails; then repeat it.
 */
export async function handOver(
  deps: EditDeps,
  fromKeyId: string,
  { key_id, account_id, expires_at }: Pick<ApiKey, 'key_id' | 'account_id' | 'expires_at'>,
): Promise<number> {
  const own = await deps.subscriptions.listOfKey(fromKeyId);
  const ids = own
    .filter(({ deleted_at }) => deleted_at === undefined)
    .map(({ subscription_id }) => subscription_id);
  const edited = await editSubscriptions(deps, account_id, ids, (current) => {
    if (current.key_id !== fromKeyId || current.deleted_at !== undefined) return 'unchanged';
    const { key_expires_at: _, ...rest } = isDeadKey(current) ? revived(current, deps.now()) : current;
    return {
      ...rest,
      key_id,
      ...(expires_at !== null && { key_expires_at: expires_at }),
      updated_at: deps.now(),
    };
  });
  return edited.filter(({ status }) => status === 'changed').length;
}

/** Lifts the pause that the end of the old key has made, and what goes with it. An admin's pause from before stays. */
function revived({ paused, expires_at: _, ...rest }: Subscription, at: number): Subscription {
  return paused?.by_admin_before ? { ...rest, paused: { reason: 'by_admin', at } } : rest;
}

/** Gives the subscriptions of a key to the one that has replaced it, if there is one and it is live. Throws like handOver. */
export async function handOverIfReplaced(
  deps: Parameters<typeof handOver>[0] & Pick<SubscriptionDeps, 'apiKeys'>,
  keyId: string,
): Promise<void> {
  const by = (await deps.apiKeys.findApiKey(keyId))?.replaced_by;
  const successor = by === undefined ? undefined : await deps.apiKeys.findApiKey(by);
  if (successor !== undefined && isLiveKey(successor, deps.now())) await handOver(deps, keyId, successor);
}
