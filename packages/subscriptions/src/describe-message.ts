import { formatInstant } from '@sluice/contract/instant';
import type { webhookAttempt, webhookDelivery } from '@sluice/contract/webhook-delivery';
import type { MessageAttempt, WebhookMessage } from '@sluice/store/webhook-messages';
import type * as z from 'zod';

/** A message as the API returns it. */
export function describeMessage(message: WebhookMessage): z.output<typeof webhookDelivery> {
  return {
    id: message.message_id,
    type: message.kind,
    status: message.status,
    attempts: message.attempts.map(describeAttempt),
    next_attempt_at: message.next_attempt_at === null ? null : formatInstant(message.next_attempt_at),
    created_at: formatInstant(message.created_at),
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
