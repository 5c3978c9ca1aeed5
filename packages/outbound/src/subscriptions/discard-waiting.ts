import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';
import { eachApart } from './each-apart.ts';
import { findReached, type Reached } from './find-reached.ts';

export type WaitingDiscarded =
  | {
      readonly status: 'discarded';
      readonly subscription: Subscription;
      readonly messages: number;
    }
  | { readonly status: 'not_found' };

type DiscardDeps = Pick<SubscriptionDeps, 'subscriptions' | 'webhookMessages' | 'mailboxes' | 'now'>;

const AT_ONCE = 500;

/**
 * Discards what waits for a subscription, except the messages that are attempted now. They are `discarded` in the log, and can be
 * sent again. Throws if MongoDB or Redis fails: the sweep logs those that are out of the mailbox, and the others go on waiting.
 */
export async function discardWaiting(deps: DiscardDeps, asked: Reached): Promise<WaitingDiscarded> {
  const subscription = await findReached(deps, asked);
  if (subscription === undefined) return { status: 'not_found' };
  const { account_id, subscription_id } = subscription;
  const log = () => logDiscarded(deps, account_id, subscription_id);
  const messages = await deps.mailboxes.discard(account_id, subscription_id, log);
  await log();
  return { status: 'discarded', subscription, messages };
}

/** Logs what was discarded and is not yet in the log, of all accounts. A process may have died before it did so. Idempotent. */
export async function finishDiscarding(
  deps: Pick<DiscardDeps, 'webhookMessages' | 'mailboxes'>,
): Promise<void> {
  await eachApart(
    await deps.mailboxes.discarding(),
    ({ accountId, subscriptionId }) => logDiscarded(deps, accountId, subscriptionId),
    ({ subscriptionId }) => subscriptionId,
  );
}

async function logDiscarded(
  { mailboxes, webhookMessages }: Pick<DiscardDeps, 'webhookMessages' | 'mailboxes'>,
  account_id: string,
  subscription_id: string,
): Promise<void> {
  while (true) {
    const { entries, forget } = await mailboxes.nextDiscarded(account_id, subscription_id, AT_ONCE);
    await webhookMessages.logDiscarded(
      entries.map(({ messageId, changeId, kind, recordId, pushedAt }) => ({
        ...{ message_id: messageId, account_id, subscription_id, change_id: changeId, kind },
        ...{ record_id: recordId, created_at: pushedAt },
      })),
    );
    await forget();
    if (entries.length === 0) return;
  }
}
