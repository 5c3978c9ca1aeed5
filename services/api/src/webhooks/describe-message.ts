import { formatInstant } from '@sluice/contract/instant';
import type { webhookDelivery } from '@sluice/contract/webhook-delivery';
import type { WebhookMessage } from '@sluice/store/webhook-messages';
import type * as z from 'zod';
import { instantOrNull } from '../http/instants.ts';

/** A message with its attempts, as public API and dashboard return it. */
export function describeMessage(message: WebhookMessage): z.output<typeof webhookDelivery> {
  return {
    id: message.message_id,
    type: message.kind,
    status: message.status,
    attempts: message.attempts.map(({ at, sentence, id: _, ...attempt }) => ({
      at: formatInstant(at),
      ...attempt,
      detail: sentence,
    })),
    next_attempt_at: instantOrNull(message.next_attempt_at),
    created_at: formatInstant(message.created_at),
  };
}
