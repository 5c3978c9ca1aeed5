import * as z from 'zod';
import { ACTION_KINDS } from './action.ts';
import { composedText } from './composed-text.ts';
import { EVENT_STATUSES, MAX_LENGTH, RECURRENCES } from './event-fields.ts';
import { parseInstant } from './instant.ts';

/**
 * The body of a webhook request (service.md 2.3 and 2.4), with the messages for the sender.
 * Unknown fields are ignored. Identity fields are trimmed and in NFC (design: Sequence numbers and the fold).
 */

const EXAMPLES = {
  title: '"Open day"',
  datetime: '"2026-12-01T18:00:00+01:00"',
  location: '"Berlin"',
  description: '"A look behind the scenes"',
  url: '"https://example.com/open-day"',
  price: '"Free"',
} as const;

const MALFORMED_TEXT =
  'Contains half of a surrogate pair, which is not a character. Send well-formed Unicode.';

const longerThan = (max: number): string => `Longer than ${max} characters. Shorten it.`;

function string(example: string) {
  return z.string({
    error: ({ input }) =>
      input === undefined
        ? `Required. Example: ${example}`
        : `Must be a string, not ${kindOf(input)}. Example: ${example}`,
  });
}

function text(max: number, example: string) {
  return string(example)
    .refine((value) => value.isWellFormed(), MALFORMED_TEXT)
    .refine((value) => codePointsFit(value, max), longerThan(max))
    .meta({ maxLength: max });
}

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

function instant() {
  return string(EXAMPLES.datetime)
    .transform((value, context) => {
      const parsed = parseInstant(value);
      if (parsed.ok) return parsed.epochMs;
      context.addIssue({ code: 'custom', message: parsed.detail });
      return z.NEVER;
    })
    .meta({
      description:
        'An ISO 8601 date and time. Without an offset it is UTC. Example: 2026-12-01T18:00:00+01:00',
    });
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: ({ input }) =>
      `${input === undefined ? 'Required' : 'Not known'}. Send one of: ${values.join(', ')}.`,
  });
}

/** An empty optional string counts as absent (design: Answers, Fields). */
function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional();
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
        starts_at: instant(),
        ends_at: optional(instant()),
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

function objectExpected(input: unknown, example: string): string {
  const found = input === undefined ? 'Required' : `Must be an object, not ${kindOf(input)}`;
  return `${found}. Example: ${example}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Counts characters as people do: one outside the basic plane is one character, although JavaScript stores two units. */
function codePointsFit(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > max * 2) return false;
  let count = 0;
  for (const _ of value) count++;
  return count <= max;
}

function isHttpUrl(value: string): boolean {
  if (!value.isWellFormed() || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}
