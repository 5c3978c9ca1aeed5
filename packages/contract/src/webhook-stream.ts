import * as z from 'zod';
import { leadText } from './lead-fields.ts';
import { objectExpected } from './schema-parts.ts';
import { eventNames, subscriptionFilter } from './subscription-fields.ts';
import { SUBSCRIPTION_MAX } from './subscription-limits.ts';

/** The scheme of the URL of a subscription whose messages a connected program reads. */
const STREAM_SCHEME = 'stream:';

/** The URL of such a subscription. It is unique, because each program has its own. */
export function streamUrl(subscriptionId: string): string {
  return `${STREAM_SCHEME}${subscriptionId}`;
}

/** Whether a connected program reads the messages. */
export function isStreamUrl(targetUrl: string): boolean {
  return targetUrl.startsWith(STREAM_SCHEME);
}

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
