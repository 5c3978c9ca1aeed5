import type {
  RedeliveryTime,
  webhookAttempt,
  webhookDelivery,
  webhookRedelivery,
} from '@sluice/contract/subscription/webhook-delivery';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { MessageAttempt, WebhookMessage } from '@sluice/store/outbound/webhook-message';
import type * as z from 'zod';

/** A message as the API returns it. */
export function describeMessage(message: WebhookMessage): z.output<typeof webhookDelivery> {
  return {
    id: message.message_id,
    type: message.kind,
    status: message.status,
    attempts: message.attempts.map(describeAttempt),
    next_attempt_at: instantOrNull(message.next_attempt_at),
    created_at: formatInstant(message.created_at),
    updated_at: formatInstant(message.updated_at ?? message.created_at),
  };
}

/** An attempt as the API returns it. */
export function describeAttempt({
  at,
  sentence,
  id: _,
  ...attempt
}: MessageAttempt): z.output<typeof webhookAttempt> {
  return { at: formatInstant(at), ...attempt, detail: sentence };
}

const LEAVES_SENTENCE: Readonly<Record<RedeliveryTime, string>> = {
  now: 'The message is sent now, with one attempt. A receiver that fails gets it too.',
  in_order:
    'Earlier messages about the same record wait. This one is sent after them, because the subscription is ordered.',
  once_active: 'The subscription is paused. The message is sent once the subscription is active again.',
  once_adopted:
    'The API key of the subscription is not valid any more. The message is sent once an admin adopts the subscription.',
};

/** A message that is sent again, as the API returns it. */
export function describeRedelivery(
  message: WebhookMessage,
  leaves: RedeliveryTime,
): z.output<typeof webhookRedelivery> {
  return { ...describeMessage(message), leaves, note: LEAVES_SENTENCE[leaves] };
}
