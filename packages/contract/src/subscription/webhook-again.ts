import * as z from 'zod';
import type { ChangeKind } from '../message/event-kinds.ts';
import { SUBSCRIBABLE_KINDS } from '../message/event-kinds.ts';
import { objectExpected } from '../text/schema-parts.ts';
import { parseInstant } from '../time/instant.ts';
import { webhookAttempt } from './webhook-delivery.ts';

const object = <Shape extends z.core.$ZodShape>(shape: Shape, example: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? objectExpected(issue.input, example) : undefined),
  });

/** The kinds that a test can imitate. */
export const TEST_KINDS = ['webhook.test', ...SUBSCRIBABLE_KINDS] as [ChangeKind, ...ChangeKind[]];

/** The body of a test. An empty body tests with `webhook.test`. */
export const testInput = object(
  {
    event: z
      .enum(TEST_KINDS, { error: `Not an event kind. Send one of: ${TEST_KINDS.join(', ')}.` })
      .optional()
      .meta({ description: 'The event kind of the made-up message. Default: `webhook.test`.' }),
  },
  '{"event":"lead.created"}',
);
export type TestInput = z.output<typeof testInput>;

/** The response to a test. */
export const testResult = z
  .object({
    message_id: z.string().meta({ description: 'The `webhook-id` of the test.' }),
    status: z.enum(['delivered', 'failed', 'waiting']).meta({
      description: '`waiting`: no attempt within 17 s. It is still sent, and listed in the deliveries then.',
    }),
    detail: z.string().meta({ description: 'What happened, and what to do next.' }),
    attempt: webhookAttempt.nullable().meta({ description: 'null while it is waiting.' }),
  })
  .meta({ title: 'WebhookTest' });

export type TestResult = z.output<typeof testResult>;

/** The body of a recovery. */
export const recoverInput = object(
  {
    since: z
      .string({ error: 'Required. Example: "2026-11-01T10:00:00Z"' })
      .meta({ format: 'date-time', description: 'Changes from then on are looked at, for up to 30 days.' })
      .transform((text, context) => {
        const parsed = parseInstant(text);
        if (parsed.ok) return parsed.epochMs;
        context.addIssue({ code: 'custom', message: parsed.detail });
        return z.NEVER;
      }),
  },
  '{"since":"2026-11-01T10:00:00Z"}',
);
export type RecoverInput = z.output<typeof recoverInput>;

/** The response to a recovery. */
export const recoverResult = z
  .object({
    messages: z.number().int().meta({ description: 'How many messages are sent again.' }),
    more: z.boolean().meta({ description: 'true: recover again, with `recovered_until` as `since`.' }),
    recovered_since: z.string().meta({
      format: 'date-time',
      description:
        'Changes from then on were looked at: `since`, or later if the subscription is younger, was taken over later, or the log does not go back so far.',
    }),
    recovered_until: z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' }),
  })
  .meta({ title: 'WebhookRecovery' });
