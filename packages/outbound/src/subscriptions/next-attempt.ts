import type { WebhookMessage } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { MailboxStatus } from '../queue/waiting.ts';

/**
 * The earliest time at which a message that waits is attempted; null: not while its subscription is paused. The time may be past: then
 * the message is due, and waits for its turn or is attempted now. Pure.
 *
 * A message may be due long before its receiver is: one that fails gets one message at a time, and one that asked for a pause gets none.
 */
export function earliestAttempt(
  { next_attempt_at, created_at }: Pick<WebhookMessage, 'next_attempt_at' | 'created_at'>,
  { paused }: Pick<Subscription, 'paused'>,
  mailbox: Pick<MailboxStatus, 'nextDueAt' | 'state'> | undefined,
): number | null {
  if (paused !== undefined && paused.reason !== 'failing') return null;
  return Math.max(next_attempt_at ?? created_at, mailbox?.nextDueAt ?? 0, mailbox?.state.notBefore ?? 0);
}
