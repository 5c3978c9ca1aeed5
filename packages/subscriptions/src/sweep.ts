import { TOMBSTONE_MS } from '@sluice/contract/subscription-limits';
import { editSubscriptions } from './change-guarded.ts';
import type { SubscriptionDeps } from './deps.ts';
import { finishDiscarding } from './discard-waiting.ts';
import { isExpired } from './life.ts';
import { pauseForKey } from './pause-for-key.ts';
import { publishAgain } from './push-to-mailbox.ts';

type SweepDeps = Pick<
  SubscriptionDeps,
  | 'subscriptions'
  | 'sources'
  | 'subscriptionDirectory'
  | 'apiKeys'
  | 'webhookMessages'
  | 'mailboxes'
  | 'now'
  | 'sleep'
>;

/** Documents of one sweep. The next one takes the rest. */
const AT_ONCE = 200;

/**
 * Removes tombstones, tests and those of dead keys whose time is over, with their mailboxes. Pauses those whose key has expired
 * or was revoked. Publishes what a process that died has stored, and logs what it has discarded. Idempotent: several processes may
 * sweep.
 */
export async function sweepSubscriptions(deps: SweepDeps): Promise<void> {
  // A part that fails, such as an account that cannot be published, must not keep the others from their work.
  try {
    await endWhatIsOver(deps);
  } finally {
    try {
      await publishUnpublished(deps);
    } finally {
      await finishDiscarding(deps);
    }
  }
}

async function publishUnpublished(deps: SweepDeps): Promise<void> {
  for (const accountId of await deps.subscriptionDirectory.unpublished()) await publishAgain(deps, accountId);
}

async function endWhatIsOver(deps: SweepDeps): Promise<void> {
  const now = deps.now();
  const expired = await deps.subscriptions.listExpired(now, AT_ONCE);
  for (const accountId of new Set(expired.map(({ account_id }) => account_id))) {
    const own = expired.filter(({ account_id }) => account_id === accountId);
    const ids = own.map(({ subscription_id }) => subscription_id);
    await editSubscriptions(deps, accountId, ids, (current) =>
      isExpired(current, deps.now()) ? 'removed' : 'unchanged',
    );
  }
  await publishTombstones(deps);
  const ofExpiredKeys = await deps.subscriptions.listOfExpiredKeys(now, AT_ONCE);
  for (const keyId of new Set(ofExpiredKeys.flatMap(({ key_id }) => key_id ?? [])))
    await pauseForKey(deps, keyId, 'key_expired');
  // A process may have died between a revocation and the pauses, or could not publish them.
  const revoked = await deps.apiKeys.revokedAmong(await deps.subscriptions.listKeys());
  for (const keyId of await deps.subscriptions.liveAmong(revoked))
    await pauseForKey(deps, keyId, 'key_revoked');
}

/** A process that died between a delete and its publication has left dispatchers with the subscription as it was. */
async function publishTombstones(deps: SweepDeps): Promise<void> {
  const ending = await deps.subscriptions.listExpired(deps.now() + TOMBSTONE_MS, AT_ONCE);
  const buried = ending.filter(({ deleted_at }) => deleted_at !== undefined);
  for (const accountId of new Set(buried.map(({ account_id }) => account_id))) {
    const { status } = await deps.subscriptionDirectory.version(accountId);
    if (status === 'absent') await publishAgain(deps, accountId);
  }
}
