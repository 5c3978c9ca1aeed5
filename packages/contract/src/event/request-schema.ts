import * as z from 'zod';
import { composedText, isBlank } from '../text/composed-text.ts';
import {
  codePointsFit,
  instant,
  longerThan,
  objectExpected,
  oneOf,
  string,
  text,
} from '../text/schema-parts.ts';
import { ACTION_KINDS } from './action.ts';
import {
  EVENT_FIELDS,
  type EventField,
  type EventValues,
  type FieldDeclaration,
  forEachField,
  IDENTITY_FIELDS,
  type RequiredField,
} from './event-fields.ts';

/**
 * The body of a webhook request (docs/sending-events.md), with the messages for the sender.
 * Unknown fields are ignored. Identity fields are trimmed and in NFC.
 */

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

const idText = identityText(EVENT_FIELDS.external_id.max, `"${EVENT_FIELDS.external_id.example}"`);

function optionalId(description: string) {
  return z
    .preprocess((value) => (isBlank(value) ? undefined : value), idText.optional())
    .optional()
    .meta({ description });
}

function httpUrl(max: number, example: string) {
  return string(example)
    .refine((value) => codePointsFit(value, max), { error: longerThan(max), abort: true })
    .refine(isHttpUrl, `Not an http or https URL. Example: ${example}`)
    .meta({ maxLength: max });
}

function schemaOf(name: EventField) {
  const field: FieldDeclaration = EVENT_FIELDS[name];
  const example = `"${field.example}"`;
  switch (field.type) {
    case 'instant':
      return instant(example);
    case 'choice':
      return oneOf(field.values);
    case 'url':
      return httpUrl(field.max, example);
    case 'text': {
      const isIdentity = (IDENTITY_FIELDS as readonly string[]).includes(name);
      const schema = isIdentity ? identityText(field.max, example) : text(field.max, example);
      return field.required ? schema.refine((value) => value !== '', `Empty. Example: ${example}`) : schema;
    }
  }
}

/** The schemas of the fields. Their outputs are values of the declared types. */
type FieldSchemas = {
  [Name in EventField]: z.ZodType<EventValues[Name] | (Name extends RequiredField ? never : undefined)>;
};

function eventSchema() {
  const fields = forEachField((name) => {
    const schema = schemaOf(name);
    return 'required' in EVENT_FIELDS[name] ? schema : optional(schema);
  }) as FieldSchemas;
  // openapi.json and lists of errors have always had them in this order.
  const { title, starts_at, ends_at, description, external_id: _, ...others } = fields;
  const ids = {
    external_id: optionalId(
      'Identifies the event in place of title, starts_at and location. A cancel or delete needs no other field.',
    ),
    replaces: optionalId('Of an upsert: the external_id of the event that this one replaces.'),
  };
  return z
    .object(
      { title, starts_at, ends_at, description, ...others, ...ids },
      {
        error: ({ input }) =>
          objectExpected(input, '{"title":"Open day","starts_at":"2026-12-01T18:00:00+01:00"}'),
      },
    )
    .refine((event) => event.ends_at === undefined || event.ends_at >= event.starts_at, {
      path: ['ends_at'],
      message: 'Is before starts_at. Send the end of the event, or omit it.',
    })
    .refine(({ external_id, replaces }) => replaces === undefined || external_id !== undefined, {
      path: ['replaces'],
      message: 'Needs the external_id of this event too. Send both, or omit it.',
    });
}

export const requestSchema = z.object(
  { action: oneOf(ACTION_KINDS), event: eventSchema() },
  { error: ({ input }) => objectExpected(input, '{"action":"upsert","event":{…}}') },
);

/** A cancel or delete by `external_id`. */
export const idSchema = z.object({ event: z.object({ external_id: idText }) });

export type WebhookRequest = z.output<typeof requestSchema>;

function isHttpUrl(value: string): boolean {
  if (!value.isWellFormed() || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}
