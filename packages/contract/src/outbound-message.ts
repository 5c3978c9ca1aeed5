import * as z from 'zod';

/** The states of a message to one subscription. */
export const MESSAGE_STATUSES = ['pending', 'delivered', 'failed', 'erased', 'discarded'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/** One try to deliver a message. */
export const attemptRecord = z.object({
  n: z.number().int().meta({ description: 'Counts from 1.' }),
  at: instant,
  duration_ms: z.number().int(),
  outcome: z.string().meta({ description: '`delivered`, or a code of the failure.' }),
  status: z.number().int().nullable().meta({ description: 'The HTTP status of the receiver.' }),
  sentence: z.string().meta({ description: 'What happened, in a sentence.' }),
  response: z.string().nullable().meta({ description: "The first 2 KiB of the receiver's response." }),
  redelivery: z.boolean(),
});
export type AttemptRecord = z.output<typeof attemptRecord>;

/** A message to one subscription, with its attempts. */
export const deliveryRecord = z
  .object({
    id: z.string().meta({ description: '`msg_…`, as in the header webhook-id.' }),
    type: z.string(),
    record_id: z.string(),
    status: z.enum(MESSAGE_STATUSES),
    created_at: instant,
    next_attempt_at: instant.nullable(),
    attempts: z.array(attemptRecord),
  })
  .meta({ title: 'WebhookMessage' });
export type DeliveryRecord = z.output<typeof deliveryRecord>;
