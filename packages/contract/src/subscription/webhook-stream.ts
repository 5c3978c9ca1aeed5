import * as z from 'zod';
import { leadText } from '../lead/lead-fields.ts';
import { objectExpected } from '../text/schema-parts.ts';
import { eventNames, subscriptionFilter } from './subscription-fields.ts';
import { SUBSCRIPTION_MAX } from './subscription-limits.ts';

/** The body of a request for a stream of messages. An empty body asks for all kinds. */
export const streamInput = z.strictObject(
  {
    events: eventNames().optional().meta({ description: 'Event kinds. Default: all.' }),
    filter: subscriptionFilter().nullable().optional(),
    host: leadText(SUBSCRIPTION_MAX.platform, '"laptop"')
      .optional()
      .meta({ description: 'The machine that listens, as the dashboard shows it.' }),
  },
  {
    error: (issue) =>
      issue.code === 'invalid_type'
        ? objectExpected(issue.input, '{"events":["lead.created"],"host":"laptop"}')
        : undefined,
  },
);
export type StreamInput = z.output<typeof streamInput>;

/** The data of an event `message` of a stream: the request that a receiver with a URL would get. */
export const streamedMessage = z
  .object({
    headers: z.record(z.string(), z.string()).meta({
      description:
        'The headers of the request: `webhook-id`, `webhook-timestamp`, `webhook-signature` and others.',
    }),
    body: z.string().meta({ description: 'The exact body. The signature covers it.' }),
  })
  .meta({ title: 'StreamedMessage' });
export type StreamedMessage = z.output<typeof streamedMessage>;

/** The data of an event `missed`: the stream dropped the oldest messages, because nobody read them. */
export const missedMessages = z.object({ count: z.number().int() });
