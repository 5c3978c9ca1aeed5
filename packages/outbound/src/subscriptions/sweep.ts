import { TOMBSTONE_MS } from '@sluice/contract/subscription/subscription-limits';
import { editSubscriptions } from './change-guarded.ts';
import type { SubscriptionDeps } from './deps.ts';
import { eachApart } from './each-apart.ts';
import { isExpired } from './life.ts';
import { pauseForKey } from './pause-for-key.ts';
import { publishAgain } from './publish-again.ts';

type SweepDeps = Pick<
  SubscriptionDeps,
  | 'subscriptions'
  | 'sources'
  | 'subscriptionDirectory'
  | 'apiKeys'
  | 'webhookMessages'
  | 'webhookCursors'
  | 'outboundChanges'
  | 'outbox'
  | 'now'
  | 'sleep'
>;

/** Documents of one sweep. The next one takes the rest. */
const AT_ONCE = 200;

/**
 * Removes tombstones, tests and those of dead keys whose time is over, with what waits for them. Pauses those whose key has expired
 * or was revoked. Publishes what a process that died has stored. Idempotent: several processes may
 * sweep. A part that fails, such as an account that cannot be published, does not keep the others from their work.
 */
export async function sweepSubscriptions(deps: SweepDeps): Promise<void> {
  await eachApart(
    PARTS,
    ([, part]) => part(deps),
    ([what]) => what,
  );
}

const PARTS: readonly (readonly [what: string, part: (deps: SweepDeps) => Promise<void>])[] = [
  ['removing expired subscriptions', removeExpired],
  ['publishing deleted subscriptions', publishTombstones],
  ['pausing for expired keys', pauseForExpiredKeys],
  ['pausing for revoked keys', pauseForRevokedKeys],
  ['publishing unpublished changes', publishUnpublished],
];

async function publishUnpublished(deps: SweepDeps): Promise<void> {
  const accountIds = await deps.subscriptionDirectory.unpublished();
  await eachApart(accountIds, (accountId) => publishAgain(deps, accountId), String);
}

async function removeExpired(deps: SweepDeps): Promise<void> {
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

async function pauseForExpiredKeys(deps: SweepDeps): Promise<void> {
  const found = await deps.subscriptions.listOfExpiredKeys(deps.now(), AT_ONCE);
  const keyIds = new Set(found.flatMap(({ key_id }) => key_id ?? []));
  await eachApart(keyIds, (keyId) => pauseForKey(deps, keyId, 'key_expired'), String);
}

/** A process may have died between a revocation and the pauses, or could not publish them. */
async function pauseForRevokedKeys(deps: SweepDeps): Promise<void> {
  const revoked = await deps.apiKeys.revokedAmong(await deps.subscriptions.listKeys());
  const keyIds = await deps.subscriptions.liveAmong(revoked);
  await eachApart(keyIds, (keyId) => pauseForKey(deps, keyId, 'key_revoked'), String);
}

/** A process that died between a delete and its publication has left dispatchers with the subscription as it was. */
async function publishTombstones(deps: SweepDeps): Promise<void> {
  const ending = await deps.subscriptions.listExpired(deps.now() + TOMBSTONE_MS, AT_ONCE);
  const buried = ending.filter(({ deleted_at }) => deleted_at !== undefined);
  const publish = async (accountId: string): Promise<void> => {
    const { status } = await deps.subscriptionDirectory.version(accountId);
    if (status === 'absent') await publishAgain(deps, accountId);
  };
  await eachApart(new Set(buried.map(({ account_id }) => account_id)), publish, String);
}
