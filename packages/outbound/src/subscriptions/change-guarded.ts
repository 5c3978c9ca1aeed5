import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { afterLostRace } from '@sluice/store/writing/after-lost-race';
import type { EditDeps } from './deps.ts';
import { isReached, type Reached } from './find-reached.ts';
import { nextVersion } from './next-version.ts';
import { type Patience, underFence } from './under-fence.ts';

/**
 * The next state of a subscription; `unchanged`; or `removed`. The version is added by the write. `asked` is the state when the change
 * was asked for: others may have changed it since.
 */
export type Edit = (current: Subscription, asked: Subscription) => Subscription | 'unchanged' | 'removed';

export type Edited =
  | { readonly status: 'changed'; readonly subscription: Subscription }
  | { readonly status: 'unchanged'; readonly subscription: Subscription }
  | { readonly status: 'removed'; readonly subscription: Subscription }
  | { readonly status: 'not_found' }
  /** Another subscription of the account has the new URL. */
  | { readonly status: 'url_taken' };

/** More than there can be writers of one subscription at a time. */
const TRIES = 100;

/** Changes one subscription. The edit is repeated on the newer state after a lost race. */
export async function editSubscription(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
  edit: Edit,
  patience: Patience = {},
): Promise<Edited> {
  const asked = await deps.subscriptions.findSubscription(accountId, subscriptionId);
  const changesNothing = asked === undefined || edit(asked, asked) === 'unchanged';
  if (changesNothing && (await awaitForce(deps, accountId)))
    return asked === undefined ? { status: 'not_found' } : { status: 'unchanged', subscription: asked };
  const write = (touched: Set<string>) => {
    touched.add(subscriptionId);
    return writeEdit(deps, accountId, subscriptionId, (current) => edit(current, asked ?? current));
  };
  return underFence(deps, accountId, write, patience);
}

/** Changes a subscription that the caller reaches. `ifMatch`: its version must be one of these. */
export async function editReached(
  deps: EditDeps,
  {
    accountId,
    subscriptionId,
    keyId,
    ifMatch,
  }: Reached & { readonly ifMatch?: readonly number[] | undefined },
  edit: Edit,
  patience?: Patience,
): Promise<Edited | { readonly status: 'changed_meanwhile' }> {
  let stop: 'not_found' | 'changed_meanwhile' | undefined;
  const guarded: Edit = (current, asked) => {
    stop = undefined;
    if (!isReached(current, keyId, deps.now())) stop = 'not_found';
    else if (ifMatch?.includes(current.version) === false) stop = 'changed_meanwhile';
    return stop === undefined ? edit(current, asked) : 'unchanged';
  };
  const edited = await editSubscription(deps, accountId, subscriptionId, guarded, patience);
  return stop === undefined ? edited : { status: stop };
}

/**
 * Whether Redis has what MongoDB has. Then it resolves once no attempt by an earlier state can begin any more. False after a change that
 * was stored and not published, because Redis failed: its repeat finds nothing to change. Then the repeat publishes it, and must not
 * succeed before.
 */
export async function awaitForce(
  deps: Pick<EditDeps, 'subscriptionDirectory' | 'sleep'>,
  accountId: string,
): Promise<boolean> {
  const found = await deps.subscriptionDirectory.version(accountId);
  if (found.status !== 'version') return false;
  // Redis may have published the change without its process getting the reply.
  if (found.leasesEndInMs > 0) await deps.sleep(found.leasesEndInMs);
  return true;
}

/** Changes several subscriptions of an account under one fence, so that the leases are waited for once. */
export async function editSubscriptions(
  deps: EditDeps,
  accountId: string,
  subscriptionIds: readonly string[],
  edit: Edit,
): Promise<readonly Edited[]> {
  if (subscriptionIds.length === 0) return [];
  return underFence(deps, accountId, async (touched) => {
    const edited: Edited[] = [];
    for (const id of subscriptionIds) {
      touched.add(id);
      edited.push(await writeEdit(deps, accountId, id, (current) => edit(current, current)));
    }
    return edited;
  });
}

/** The write of an edit. Call it under a fence. */
export async function writeEdit(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
  edit: (current: Subscription) => ReturnType<Edit>,
): Promise<Edited> {
  const { subscriptions } = deps;
  for (let round = 0; round < TRIES; round++) {
    const current = await subscriptions.findSubscription(accountId, subscriptionId);
    if (current === undefined) return { status: 'not_found' };
    const next = edit(current);
    if (next === 'unchanged') return { status: 'unchanged', subscription: current };
    if (next === 'removed') {
      if (await subscriptions.removeSubscription(current))
        return { status: 'removed', subscription: current };
    } else {
      const subscription = await nextVersion(deps, current, next);
      const written = await subscriptions.replaceSubscription(subscription);
      if (written === 'replaced') return { status: 'changed', subscription };
      if (written === 'duplicate') return { status: 'url_taken' };
    }
    await afterLostRace(round);
  }
  throw new Error(`the subscription ${subscriptionId} kept changing`);
}
