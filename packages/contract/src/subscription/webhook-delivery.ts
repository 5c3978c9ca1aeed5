import * as z from 'zod';

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/**
 * `pending`: another attempt follows. `erased`: its record was erased before it could leave. `discarded`: an admin has discarded
 * what waited.
 */
export const MESSAGE_STATUSES = ['pending', 'delivered', 'failed', 'erased', 'discarded'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** One try to deliver a message, as the API returns it. */
export const webhookAttempt = z.object({
  at: instant,
  duration_ms: z.number(),
  code: z.string().meta({ description: '`delivered`, or why not, such as `timeout`.' }),
  status: z.number().nullable().meta({ description: 'The HTTP status; null without a response.' }),
  detail: z.string().meta({ description: 'What happened, and what to do.' }),
  response: z.string().nullable().meta({ description: 'The start of the response.' }),
  redelivery: z.boolean(),
});

/** A message to a webhook subscription with its attempts, as the API returns it. */
export const webhookDelivery = z
  .object({
    id: z.string().meta({ description: '`msg_…`, the `webhook-id` of every attempt.' }),
    type: z.string().meta({ description: 'The event kind.' }),
    status: z.enum(MESSAGE_STATUSES),
    attempts: z.array(webhookAttempt).meta({ description: 'Oldest first; the last 50.' }),
    next_attempt_at: instant.nullable().meta({
      description:
        'The earliest time of the next attempt, in UTC. A past time: the message is due, and waits for its turn or is attempted now. null: no attempt follows, or the subscription is paused.',
    }),
    created_at: instant,
    updated_at: instant.meta({
      description: 'When its status or its attempts last changed, in UTC.',
    }),
  })
  .meta({ title: 'WebhookDelivery' });

/** When a redelivery leaves. */
export const REDELIVERY_TIMES = ['now', 'in_order', 'once_active', 'once_adopted'] as const;
export type RedeliveryTime = (typeof REDELIVERY_TIMES)[number];

/** The response to a request to send a message again. */
export const webhookRedelivery = webhookDelivery
  .extend({
    leaves: z.enum(REDELIVERY_TIMES).meta({
      description:
        '`now`: also to a receiver that fails. `in_order`: after earlier messages about its record. `once_active`: the subscription is paused. `once_adopted`: its API key is no longer valid.',
    }),
    note: z.string().meta({ description: 'The same in a sentence.' }),
  })
  .meta({ title: 'WebhookRedelivery' });
