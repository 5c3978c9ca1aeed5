import type { testResult } from '@sluice/contract/webhook-again';
import { describeAttempt } from '@sluice/outbound/subscriptions/describe-message';
import type { SubscriptionTested } from '@sluice/outbound/subscriptions/test-subscription';
import type { MessageAttempt } from '@sluice/store/outbound/webhook-message';
import type * as z from 'zod';

/** Why a subscription is not tested, and what to do. */
export const TEST_STOPPED: Readonly<Record<(SubscriptionTested & { status: 'stopped' })['why'], string>> = {
  by_admin: 'An admin paused this subscription, so no test was sent. Ask an admin to resume it.',
  by_client: 'This subscription is paused, so no test was sent. Set "active" to true, then test it.',
  key_revoked: 'The API key of this subscription was revoked, so no test was sent. An admin can adopt it.',
  key_expired: 'The API key of this subscription has expired, so no test was sent. An admin can adopt it.',
  deleted: 'This subscription was deleted, so no test was sent.',
  ended: 'The time of this subscription is over, so no test was sent. Create it again.',
};

const WAITING =
  'No dispatcher has sent it yet. It is sent within 10 minutes, and is listed in the deliveries then. Are dispatchers running?';

/** A test as public API and dashboard return it. Without an attempt it waits for a dispatcher. */
export function describeTest(
  message_id: string,
  attempt: MessageAttempt | undefined,
): z.output<typeof testResult> {
  if (attempt === undefined) return { message_id, status: 'waiting', detail: WAITING, attempt: null };
  const status = attempt.code === 'delivered' ? 'delivered' : 'failed';
  return { message_id, status, detail: attempt.sentence, attempt: describeAttempt(attempt) };
}
