import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';

export type WaitingDiscarded =
  | {
      readonly status: 'discarded';
      readonly subscription: Subscription;
      readonly messages: number;
    }
  | { readonly status: 'not_found' };

/**
 * Discards what waits for a subscription, except the messages that are attempted now. They are `discarded` in the log, the newest 10,000 of those
 * without an attempt too, and can be sent again. Throws if MongoDB or Redis fails; then repeat it.
 */
export async function discardWaiting(
  deps: Pick<SubscriptionDeps, 'subscriptions' | 'outbox' | 'now'>,
  asked: Reached,
): Promise<WaitingDiscarded> {
  const subscription = await findReached(deps, asked);
  if (subscription === undefined) return { status: 'not_found' };
  const { account_id, subscription_id } = subscription;
  const messages = await deps.outbox.discard(account_id, subscription_id);
  return { status: 'discarded', subscription, messages };
}
