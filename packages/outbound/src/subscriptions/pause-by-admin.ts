import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { type Edit, editSubscription } from './change-guarded.ts';
import { isReached } from './change-subscription.ts';
import type { EditDeps } from './deps.ts';
import { hasSamePause, isDeadKey } from './life.ts';

export type ChangedByAdmin =
  | { readonly status: 'changed' | 'unchanged'; readonly subscription: Subscription }
  | { readonly status: 'not_found' };

/** Pauses a subscription. Its messages wait. Only an admin lifts this pause. */
export function pauseByAdmin(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
): Promise<ChangedByAdmin> {
  return edit(deps, accountId, subscriptionId, (current) =>
    isDeadKey(current) || current.paused?.reason === 'by_admin'
      ? 'unchanged'
      : { ...current, paused: { reason: 'by_admin', at: deps.now() }, updated_at: deps.now() },
  );
}

/** Lifts any pause but that of a dead key, which an admin lifts by adopting the subscription. What waits is sent. */
export function resumeByAdmin(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
): Promise<ChangedByAdmin> {
  return edit(deps, accountId, subscriptionId, (current, asked) => {
    if (isDeadKey(current) || current.paused === undefined || !hasSamePause(current, asked))
      return 'unchanged';
    const { paused: _, ...next } = current;
    return { ...next, updated_at: deps.now() };
  });
}

/**
 * Takes the subscription of a revoked or expired key over for the account, so that it is sent again. No key can change it
 * then. A create of a key with its URL takes it over from the account.
 */
export function adoptByAdmin(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
): Promise<ChangedByAdmin> {
  return edit(deps, accountId, subscriptionId, (current) => {
    if (!isDeadKey(current)) return 'unchanged';
    const { paused: _, expires_at: __, key_expires_at: ___, ...next } = current;
    return { ...next, key_id: null, updated_at: deps.now() };
  });
}

async function edit(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
  change: Edit,
): Promise<ChangedByAdmin> {
  let isThere = false;
  const edited = await editSubscription(deps, accountId, subscriptionId, (current, asked) => {
    isThere = isReached(current, undefined, deps.now());
    return isThere ? change(current, asked) : 'unchanged';
  });
  if (!isThere || (edited.status !== 'changed' && edited.status !== 'unchanged'))
    return { status: 'not_found' };
  return { status: edited.status, subscription: edited.subscription };
}
