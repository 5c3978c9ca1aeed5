import type { RedeliveryTime } from '@sluice/contract/subscription/webhook-delivery';
import type { WebhookMessage } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';
import { isDeadKey } from './life.ts';
import { whenPublished } from './publish-again.ts';
import { withNextAttempts } from './read-messages.ts';

export type Redelivered =
  | {
      readonly status: 'queued';
      readonly subscription: Subscription;
      /** The message before this redelivery. The next attempt is added to it. */
      readonly message: WebhookMessage;
      readonly leaves: RedeliveryTime;
    }
  | { readonly status: 'not_found' }
  /** The subscription has no such message, or it was never attempted. */
  | { readonly status: 'no_message' }
  /** Its contents were erased, or are older than 30 days. */
  | { readonly status: 'gone' }
  /** A test, whose contents are not kept. */
  | { readonly status: 'test' }
  /** Another key had the subscription then. */
  | { readonly status: 'before_takeover'; readonly takenOverAt: number };

/**
 * Sends a message once more, with the same id, before all that waits. It has one attempt. A message that waits for its own retry
 * is not sent again after that attempt succeeds; after a failure it keeps its place. If the subscription is paused, the redelivery
 * waits. Throws if MongoDB or Redis fails.
 */
export async function redeliverMessage(
  deps: SubscriptionDeps,
  request: Reached & { readonly messageId: string },
): Promise<Redelivered> {
  const subscription = await findReached(deps, request);
  if (subscription === undefined) return { status: 'not_found' };
  const { account_id, subscription_id, taken_over_at: takenOverAt } = subscription;
  const message = await deps.webhookMessages.findMessage(subscription_id, request.messageId);
  if (message === undefined) return { status: 'no_message' };
  if (takenOverAt !== undefined && message.created_at < takenOverAt)
    return { status: 'before_takeover', takenOverAt };
  const { change_id: changeId, message_id: messageId, kind, record_id: recordId } = message;
  if (kind === 'webhook.test') return { status: 'test' };
  if (!(await deps.outboundChanges.findTexts([changeId])).has(changeId)) return { status: 'gone' };
  const [before = message] = await withNextAttempts(deps, subscription, [message]);
  const entry = { changeId, messageId, kind, recordId };
  const isHeld = subscription.ordered && (await deps.webhookMessages.waitsBehind(message));
  // It waits for earlier messages about its record, and is sent after them.
  if (!isHeld)
    await whenPublished(deps, subscription, () =>
      deps.outbox.pushRedelivery(account_id, subscription_id, entry),
    );
  return { status: 'queued', subscription, message: before, leaves: whenItLeaves(subscription, isHeld) };
}

/** Pure. */
export function whenItLeaves(subscription: Pick<Subscription, 'paused'>, inOrder = false): RedeliveryTime {
  if (isDeadKey(subscription)) return 'once_adopted';
  if (subscription.paused !== undefined && subscription.paused.reason !== 'failing') return 'once_active';
  return inOrder ? 'in_order' : 'now';
}
