import { messageId } from '@sluice/contract/message/outbound-ids';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { type ChangeHead, LOG_RETENTION_MS } from '@sluice/store/outbound/outbound-changes';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { isWithin, kindsAsked } from '../log/matches.ts';
import type { SubscriptionDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';
import { whenPublished } from './publish-again.ts';

export type MessagesRecovered =
  | {
      readonly status: 'queued';
      readonly subscription: Subscription;
      /** How many messages are sent again. */
      readonly messages: number;
      /** Not all changes were looked at. Recover again, since `until`. */
      readonly more: boolean;
      /** All changes from then on were looked at. Milliseconds since the Unix epoch. */
      readonly since: number;
      /** All changes before were looked at. Milliseconds since the Unix epoch. */
      readonly until: number;
    }
  | { readonly status: 'not_found' }
  /** `since` lies in the future. `now`: milliseconds since the Unix epoch. */
  | { readonly status: 'in_the_future'; readonly now: number };

/** Changes that one call looks at. */
export const RECOVER_MAX = 10_000;
const PAGE = 500;
/** The log loses rows during a recovery, and a change is a little older than its row. Milliseconds. */
const LOG_MARGIN_MS = 600_000;
/** The clocks of caller and server may differ by this. Milliseconds. */
const SKEW_MS = MINUTE_MS;

/**
 * Sends again what the subscription asks for now and has not received: changes since then that were neither delivered nor wait. It never goes back before the subscription was created, or taken over by its present owner, nor further than the log:
 * nobody knows what was delivered before. Throws if MongoDB or Redis fails; then repeat it.
 */
export async function recoverMessages(
  deps: SubscriptionDeps,
  { since, max = RECOVER_MAX, ...asked }: Reached & { readonly since: number; readonly max?: number },
): Promise<MessagesRecovered> {
  const now = deps.now();
  const subscription = await findReached(deps, asked);
  if (subscription === undefined) return { status: 'not_found' };
  if (since > now + SKEW_MS) return { status: 'in_the_future', now };
  const { account_id, subscription_id, created_at, taken_over_at = 0 } = subscription;
  const logged = now - LOG_RETENTION_MS + LOG_MARGIN_MS;
  const from = Math.max(since, created_at, taken_over_at, logged);
  // First the changes, then the cursor, then the rows: a cursor passes a change once its row is stored.
  const { changes, until } = await readChanges(deps, subscription, from, max);
  const isWaiting = await deps.outbox.waitingMessages(account_id, subscription_id);
  const missing: ChangeHead[] = [];
  for (let at = 0; at < changes.length; at += PAGE) {
    const page = changes.slice(at, at + PAGE);
    const idOf = ({ change_id }: ChangeHead) => messageId(change_id, subscription_id);
    const known = await deps.webhookMessages.findMessages(subscription_id, page.map(idOf));
    missing.push(
      ...page.filter((change) => {
        const status = known.get(idOf(change))?.status;
        return status !== 'delivered' && status !== 'erased' && !isWaiting(change, status);
      }),
    );
  }
  const entries = missing.map(({ change_id: changeId, kind, record_id: recordId, number, at }) => ({
    ...{ changeId, messageId: messageId(changeId, subscription_id), kind, recordId, number, at },
  }));
  // Also without any: a call that failed before may have stored rows that no turn was told of.
  await whenPublished(deps, subscription, () =>
    deps.outbox.pushRecovered(account_id, subscription_id, entries),
  );
  const counts = { messages: entries.length, more: until !== undefined, since: from, until: until ?? now };
  return { status: 'queued', subscription, ...counts };
}

/** The changes that the subscription asks for, oldest first. `until`: more follow from then on. */
async function readChanges(
  { outboundChanges }: SubscriptionDeps,
  subscription: Subscription,
  since: number,
  max: number,
): Promise<{ readonly changes: readonly ChangeHead[]; readonly until: number | undefined }> {
  const changes: ChangeHead[] = [];
  const query = { account_id: subscription.account_id, kinds: kindsAsked(subscription), since };
  let after: ChangeHead | undefined;
  for (let looked = 0; ; ) {
    const page = await outboundChanges.pageChanges({ ...query, after, limit: PAGE });
    looked += page.length;
    changes.push(...page.filter((change) => isWithin(subscription.filter, change)));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { changes, until: undefined };
    // The next call begins at this instant, so it must be after the beginning of this call.
    if (looked >= max && last.at > since) return { changes, until: last.at };
    after = last;
  }
}
