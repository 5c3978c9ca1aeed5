import { TOMBSTONE_MS } from '@sluice/contract/subscription/subscription-limits';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { type Edit, editReached } from './change-guarded.ts';
import type { EditDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';
import type { KeyReach } from './life.ts';
import type { Patience } from './under-fence.ts';
import { canonicalUrl, urlKey } from './url-key.ts';

export type SubscriptionDeleted =
  | { readonly status: 'deleted'; readonly subscription: Subscription }
  | { readonly status: 'not_found' };

/**
 * A platform whose delete fails cannot switch its flow off, so a delete is successful once it is stored. Its publication mostly takes
 * a second. It is less than the time of the API for a change. Milliseconds.
 */
const ANSWER_WITHIN_MS = 5000;

/**
 * Deletes a subscription of a key. For 10 minutes a tombstone stays: platforms delete and create for every edit of a flow.
 * Nothing leaves any more once it resolves, unless Redis or MongoDB took more than `answerWithinMs`: then within seconds. A repeat does
 * not fail because of Redis either: the sweep publishes what is deleted.
 */
export async function deleteByKey(
  deps: EditDeps,
  { answerWithinMs = ANSWER_WITHIN_MS, ...asked }: Reached & { readonly keyId: KeyReach } & Patience,
): Promise<SubscriptionDeleted> {
  const bury: Edit = (current) => {
    const now = deps.now();
    if (current.ephemeral) return 'removed';
    return { ...current, deleted_at: now, expires_at: now + TOMBSTONE_MS, updated_at: now };
  };
  try {
    return await remove(deps, asked, bury, { answerWithinMs });
  } catch (error) {
    if ((await findReached(deps, asked)) !== undefined) throw error;
    return { status: 'not_found' };
  }
}

/** Deletes the subscription of a key to a URL, for platforms that kept only the URL. */
export async function deleteByUrl(
  deps: EditDeps,
  { accountId, keyId, url }: { accountId: string; keyId: KeyReach; url: string },
): Promise<SubscriptionDeleted> {
  const found = await deps.subscriptions.findByUrl(accountId, urlKey(canonicalUrl(url)));
  if (found === undefined) return { status: 'not_found' };
  return deleteByKey(deps, { accountId, keyId, subscriptionId: found.subscription_id });
}

/** Deletes a subscription permanently, for an admin. What waits for it is dropped. */
export async function deleteByAdmin(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
): Promise<SubscriptionDeleted> {
  return remove(deps, { accountId, subscriptionId }, () => 'removed');
}

async function remove(
  deps: EditDeps,
  asked: Reached,
  edit: Edit,
  patience?: Patience,
): Promise<SubscriptionDeleted> {
  const edited = await editReached(deps, asked, edit, patience);
  if (edited.status === 'changed' || edited.status === 'removed')
    return { status: 'deleted', subscription: edited.subscription };
  return { status: 'not_found' };
}
