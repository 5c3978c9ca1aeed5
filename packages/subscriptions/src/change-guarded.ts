import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription } from '@sluice/store/subscription-document';
import type { SubscriptionDeps } from './deps.ts';
import { type Patience, underFence } from './under-fence.ts';

/** The next state of a subscription; `unchanged`; or `removed`. The version is added by the write. */
export type Edit = (current: Subscription) => Subscription | 'unchanged' | 'removed';

export type Edited =
  | { readonly status: 'changed'; readonly subscription: Subscription }
  | { readonly status: 'unchanged'; readonly subscription: Subscription }
  | { readonly status: 'removed'; readonly subscription: Subscription }
  | { readonly status: 'not_found' }
  /** Another subscription of the account has the new URL. */
  | { readonly status: 'url_taken' };

/** More than there can be writers of one subscription at a time. */
const TRIES = 100;

type EditDeps = Pick<SubscriptionDeps, 'subscriptions' | 'subscriptionDirectory' | 'now' | 'sleep'>;

/** Changes one subscription. The edit is repeated on the newer state after a lost race. */
export async function editSubscription(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
  edit: Edit,
  patience: Patience = {},
): Promise<Edited> {
  const current = await deps.subscriptions.findSubscription(accountId, subscriptionId);
  if (current === undefined) return { status: 'not_found' };
  if (edit(current) === 'unchanged' && (await isInForce(deps, accountId)))
    return { status: 'unchanged', subscription: current };
  const write = async () => ({
    result: await writeEdit(deps, accountId, subscriptionId, edit),
    touched: [subscriptionId],
  });
  return underFence(deps, accountId, write, patience);
}

/**
 * Whether Redis has what MongoDB has. Not after a change that was stored and not published, because Redis failed: its repeat finds
 * nothing to change. Then it is published by the repeat, which must not succeed before.
 */
export async function isInForce(
  { subscriptionDirectory }: Pick<EditDeps, 'subscriptionDirectory'>,
  accountId: string,
): Promise<boolean> {
  return (await subscriptionDirectory.version(accountId)).status === 'version';
}

/** Changes several subscriptions of an account under one fence, so that the leases are waited for once. */
export async function editSubscriptions(
  deps: EditDeps,
  accountId: string,
  subscriptionIds: readonly string[],
  edit: Edit,
): Promise<readonly Edited[]> {
  if (subscriptionIds.length === 0) return [];
  return underFence(deps, accountId, async () => {
    const result: Edited[] = [];
    for (const id of subscriptionIds) result.push(await writeEdit(deps, accountId, id, edit));
    return { result, touched: subscriptionIds };
  });
}

/** The write of an edit. Call it under a fence. */
async function writeEdit(
  { subscriptions }: EditDeps,
  accountId: string,
  subscriptionId: string,
  edit: Edit,
): Promise<Edited> {
  for (let round = 0; round < TRIES; round++) {
    const current = await subscriptions.findSubscription(accountId, subscriptionId);
    if (current === undefined) return { status: 'not_found' };
    const next = edit(current);
    if (next === 'unchanged') return { status: 'unchanged', subscription: current };
    if (next === 'removed') {
      if (await subscriptions.removeSubscription(current))
        return { status: 'removed', subscription: current };
    } else {
      const subscription = { ...next, version: current.version + 1 };
      const written = await subscriptions.replaceSubscription(subscription);
      if (written === 'replaced') return { status: 'changed', subscription };
      if (written === 'duplicate') return { status: 'url_taken' };
    }
    await delay(Math.random() * Math.min(50, 2 ** round));
  }
  throw new Error(`the subscription ${subscriptionId} kept changing`);
}
