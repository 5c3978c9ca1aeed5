import { editSubscriptions } from './change-guarded.ts';
import type { SubscriptionDeps } from './deps.ts';
import { isExpired } from './life.ts';
import { pauseForKey } from './pause-for-key.ts';
import { publishAgain } from './publish-again.ts';

/** Documents of one sweep. The next one takes the rest. */
const AT_ONCE = 200;

/**
 * Removes tombstones, tests and those of dead keys whose time is over, with what waits for them. Pauses those whose key has expired
 * or was revoked. Publishes what a process that died has stored. Idempotent: several processes may
 * sweep. A part that fails, such as an account that cannot be published, does not keep the others from their work.
 */
export async function sweepSubscriptions(deps: SubscriptionDeps): Promise<void> {
  await eachApart(
    PARTS,
    ([, part]) => part(deps),
    ([what]) => what,
  );
}

const PARTS: readonly (readonly [what: string, part: (deps: SubscriptionDeps) => Promise<void>])[] = [
  ['removing expired subscriptions', removeExpired],
  ['pausing for expired keys', pauseForExpiredKeys],
  ['pausing for revoked keys', pauseForRevokedKeys],
  ['publishing unpublished changes', publishUnpublished],
];

async function publishUnpublished(deps: SubscriptionDeps): Promise<void> {
  const accountIds = await deps.subscriptionDirectory.unpublished();
  await eachApart(accountIds, (accountId) => publishAgain(deps, accountId), String);
}

async function removeExpired(deps: SubscriptionDeps): Promise<void> {
  const expired = await deps.subscriptions.listExpired(deps.now(), AT_ONCE);
  const remove = async (accountId: string): Promise<void> => {
    const own = expired.filter(({ account_id }) => account_id === accountId);
    const ids = own.map(({ subscription_id }) => subscription_id);
    await editSubscriptions(deps, accountId, ids, (current) =>
      isExpired(current, deps.now()) ? 'removed' : 'unchanged',
    );
  };
  await eachApart(new Set(expired.map(({ account_id }) => account_id)), remove, String);
}

async function pauseForExpiredKeys(deps: SubscriptionDeps): Promise<void> {
  const found = await deps.subscriptions.listOfExpiredKeys(deps.now(), AT_ONCE);
  const keyIds = new Set(found.flatMap(({ key_id }) => key_id ?? []));
  await eachApart(keyIds, (keyId) => pauseForKey(deps, keyId, 'key_expired'), String);
}

/** A process may have died between a revocation and the pauses, or could not publish them. */
async function pauseForRevokedKeys(deps: SubscriptionDeps): Promise<void> {
  const revoked = await deps.apiKeys.revokedAmong(await deps.subscriptions.listKeys());
  const keyIds = await deps.subscriptions.liveAmong(revoked);
  await eachApart(keyIds, (keyId) => pauseForKey(deps, keyId, 'key_revoked'), String);
}

/**
 * Does the work of each item, one after the other. An item that fails does not keep the others from their work. Then throws one error for
 * all failures, with the first one as its cause. `nameOf` names an item in it.
 */
async function eachApart<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  nameOf: (item: Item) => string,
): Promise<void> {
  const failures: { readonly item: Item; readonly error: unknown }[] = [];
  for (const item of items)
    await work(item).catch((error: unknown) => {
      failures.push({ item, error });
    });
  const [first] = failures;
  if (first === undefined) return;
  const { item, error: cause } = first;
  const failed = failures.length === 1 ? '' : `${failures.length} failed, the first: `;
  throw new Error(`${failed}${nameOf(item)}: ${cause instanceof Error ? cause.message : cause}`, { cause });
}
