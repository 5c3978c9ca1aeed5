import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { editSubscription } from './change-guarded.ts';
import type { EditDeps } from './deps.ts';

/** The changes that a dispatcher makes because of a receiver's responses. All are idempotent. */

interface Receiver {
  readonly accountId: string;
  readonly subscriptionId: string;
}

/** Pauses a subscription whose receiver has failed for days. It goes on collecting, and is probed. True: it was active. */
export async function markFailing(
  deps: EditDeps,
  { accountId, subscriptionId, detail }: Receiver & { readonly detail: string },
): Promise<boolean> {
  const edited = await editSubscription(deps, accountId, subscriptionId, (current) =>
    current.paused === undefined && current.deleted_at === undefined
      ? { ...current, paused: { reason: 'failing', at: deps.now(), detail }, updated_at: deps.now() }
      : 'unchanged',
  );
  return edited.status === 'changed';
}

/** Resumes a failing subscription whose receiver has accepted a message. True: it was failing. */
export async function markHealed(deps: EditDeps, { accountId, subscriptionId }: Receiver): Promise<boolean> {
  const edited = await editSubscription(deps, accountId, subscriptionId, (current) => {
    if (current.paused?.reason !== 'failing') return 'unchanged';
    const { paused: _, ...next } = current;
    return { ...next, updated_at: deps.now() };
  });
  return edited.status === 'changed';
}

/**
 * Removes a subscription whose receiver answered 410, or an ephemeral one at its first 404. The response must be to its
 * current URL. Returns the removed subscription; undefined if it was changed or removed meanwhile.
 */
export async function removeGone(
  deps: EditDeps,
  { accountId, subscriptionId, targetUrl }: Receiver & { readonly targetUrl: string },
): Promise<Subscription | undefined> {
  const edited = await editSubscription(deps, accountId, subscriptionId, (current) =>
    current.target_url === targetUrl && current.deleted_at === undefined ? 'removed' : 'unchanged',
  );
  return edited.status === 'removed' ? edited.subscription : undefined;
}
