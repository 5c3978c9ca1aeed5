import * as z from 'zod';
import { ACTION_KINDS } from './action.ts';
import { composedText } from './composed-text.ts';
import { EVENT_STATUSES, MAX_LENGTH, RECURRENCES } from './event-fields.ts';
import { codePointsFit, instant, longerThan, objectExpected, oneOf, string, text } from './schema-parts.ts';

/**
 * The body of a webhook request (docs/sending-events.md), with the messages for the sender.
 * Unknown fields are ignored. Identity fields are trimmed and in NFC.
 */

const EXAMPLES = {
  title: '"Open day"',
  datetime: '"2026-12-01T18:00:00+01:00"',
  location: '"Berlin"',
  description: '"A look behind the scenes"',
  url: '"https://example.com/open-day"',
  price: '"Free"',
} as const;

/** Trimmed and in NFC, see composed-text.ts. */
function identityText(max: number, example: string) {
  return string(example)
    .transform((value, context) => {
      const composed = composedText(value, max);
      if (composed !== undefined) return composed;
      context.addIssue({ code: 'custom', message: longerThan(max) });
      return z.NEVER;
    })
    .pipe(text(max, example))
    .meta({ maxLength: max });
}

/** An empty optional string and null count as absent (docs/sending-events.md). Serializers write null for an unset field. */
function optional<T extends z.ZodType>(schema: T) {
  return z
    .preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())
    .optional();
}

function httpUrl(max: number) {
  return string(EXAMPLES.url)
    .refine((value) => codePointsFit(value, max), { error: longerThan(max), abort: true })
    .refine(isHttpUrl, `Not an http or https URL. Example: ${EXAMPLES.url}`)
    .meta({ maxLength: max });
}

const eventSchema = (maxUrl: number) =>
  z
    .object(
      {
        title: identityText(MAX_LENGTH.title, EXAMPLES.title).refine(
          (value) => value !== '',
          `Empty. Example: ${EXAMPLES.title}`,
        ),
        starts_at: instant(EXAMPLES.datetime),
        ends_at: optional(instant(EXAMPLES.datetime)),
        description: optional(text(MAX_LENGTH.description, EXAMPLES.description)),
        location: optional(identityText(MAX_LENGTH.location, EXAMPLES.location)),
        url: optional(httpUrl(maxUrl)),
        price: optional(text(MAX_LENGTH.price, EXAMPLES.price)),
        recurring: optional(oneOf(RECURRENCES)),
        status: optional(oneOf(EVENT_STATUSES)),
      },
      {
        error: ({ input }) =>
          objectExpected(input, '{"title":"Open day","starts_at":"2026-12-01T18:00:00+01:00"}'),
      },
    )
    .refine((event) => event.ends_at === undefined || event.ends_at >= event.starts_at, {
      path: ['ends_at'],
      message: 'Is before starts_at. Send the end of the event, or omit it.',
    });

const requestWith = (maxUrl: number) =>
  z.object(
    { action: oneOf(ACTION_KINDS), event: eventSchema(maxUrl) },
    { error: ({ input }) => objectExpected(input, '{"action":"upsert","event":{…}}') },
  );

export const requestSchema = requestWith(MAX_LENGTH.url);

/** For bodies that earlier versions accepted, without a limit for `url`. Accepted actions are applied. */
export const acceptedSchema = requestWith(Number.POSITIVE_INFINITY);

export type WebhookRequest = z.output<typeof requestSchema>;

function isHttpUrl(value: string): boolean {
  if (!value.isWellFormed() || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}
