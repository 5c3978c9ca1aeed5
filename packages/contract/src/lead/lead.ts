import * as z from 'zod';
import { objectExpected } from '../text/schema-parts.ts';
import {
  customFields,
  droppedEmpty,
  emptyAsNull,
  leadEmail,
  leadTags,
  leadText,
  stageId,
} from './lead-fields.ts';
import { LEAD_MAX } from './lead-limits.ts';

/** The places where a lead can be created. */
export const LEAD_ORIGINS = ['api', 'import', 'dashboard', 'conversation'] as const;
export type LeadOrigin = (typeof LEAD_ORIGINS)[number];

/** The fields by which a create can find an existing lead. */
export const LEAD_MATCHES = ['email', 'phone', 'external_id'] as const;
export type LeadMatch = (typeof LEAD_MATCHES)[number];

/** A lead needs at least one of these. */
export const IDENTIFYING_FIELDS = ['name', 'email', 'phone', 'external_id'] as const;

export const NOTHING_IDENTIFIES = 'Send at least one of name, email, phone and external_id.';

/** The texts that a client can set. */
export const LEAD_TEXTS = ['name', 'company', 'email', 'phone', 'external_id', 'note'] as const;
export type LeadText = (typeof LEAD_TEXTS)[number];

export type FieldValue = string | number | boolean;

const texts = {
  name: leadText(LEAD_MAX.name, '"Ada Lovelace"').nullable().optional(),
  company: leadText(LEAD_MAX.company, '"Analytical Engines"').nullable().optional(),
  email: leadEmail().nullable().optional(),
  phone: leadText(LEAD_MAX.phone, '"+49 30 901820"').nullable().optional(),
  external_id: leadText(LEAD_MAX.external_id, '"crm-4711"').nullable().optional(),
  note: leadText(LEAD_MAX.note, '"Met at the fair"').nullable().optional(),
  tags: leadTags().nullable().optional(),
  fields: customFields().nullable().optional(),
};

const object = <Shape extends z.core.$ZodShape>(shape: Shape, example: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? objectExpected(issue.input, example) : undefined),
  });

/**
 * The body of a create. Texts are trimmed. An empty text, null and an absent field are the same. Whether a lead with these
 * fields is identified is for the domain to say, because a change may find an existing lead.
 */
export const leadInput = object(
  { ...texts, stage: stageId().nullable().optional() },
  '{"name":"Ada Lovelace","email":"ada@example.com"}',
)
  .refine((lead) => IDENTIFYING_FIELDS.some((field) => (lead[field] ?? '') !== ''), NOTHING_IDENTIFIES)
  .transform(droppedEmpty);
export type LeadInput = z.output<typeof leadInput>;

/**
 * The body of a PATCH: a JSON merge patch (RFC 7396). An absent field stays, null or an empty text clears. `fields` is merged
 * key by key, and `tags` are replaced.
 */
export const leadPatch = object(
  { ...texts, stage: stageId().optional() },
  '{"company":"Analytical Engines"}',
).transform(emptyAsNull);
export type LeadPatch = z.output<typeof leadPatch>;

/** The body of a move to another stage. */
export const leadMove = object(
  { stage: stageId(), note: leadText(LEAD_MAX.note, '"They signed"').nullable().optional() },
  '{"stage":"stg_won"}',
);
export type LeadMove = z.output<typeof leadMove>;

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });
const textOrNull = z.string().nullable();

/** A lead, as the API returns it and as messages contain it. Every key is always present. */
export const leadRecord = z.object({
  id: z.string(),
  name: textOrNull,
  company: textOrNull,
  email: textOrNull.meta({ description: 'As written. Compared without case.' }),
  phone: textOrNull.meta({ description: 'As written.' }),
  phone_e164: textOrNull.meta({
    description: 'The phone number in international form. null: there is none, or it cannot be read.',
  }),
  stage: z.string().meta({ description: 'Id of a pipeline stage.' }),
  external_id: textOrNull.meta({ description: 'Your own id of the lead. Unique in the account.' }),
  tags: z.array(z.string()),
  fields: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .meta({ description: 'Custom fields.' }),
  note: textOrNull,
  origin: z.enum(LEAD_ORIGINS),
  conversation_id: textOrNull,
  created_at: instant,
  updated_at: instant,
  stage_changed_at: instant,
});
export type LeadRecord = z.infer<typeof leadRecord>;

const filterText = (max: number) => z.string().max(max).optional();

/** The filters of a list of leads. All of them must match. */
export const leadFilter = z.strictObject({
  q: filterText(200).meta({
    description:
      'Beginnings of words of name, company and email, and the first digits of the phone number. At least 2 characters. Empty: all leads.',
  }),
  email: filterText(LEAD_MAX.email),
  phone: filterText(LEAD_MAX.phone).meta({
    description:
      'In international form, such as `+4930901820`. Without a country code it is a number of the phone region of the account. Without a region it finds only leads whose number was written without a country code too.',
  }),
  external_id: filterText(LEAD_MAX.external_id),
  stage: filterText(100),
  tag: filterText(LEAD_MAX.tag),
});
export type LeadFilterQuery = z.infer<typeof leadFilter>;

/** `match_on` of a create: one field or several with commas between them. The first that matches wins. */
export const matchOn = z
  .string()
  .transform((text, context) => {
    const names = [...new Set(text.split(',').map((name) => name.trim()))];
    const known = names.flatMap((name) => LEAD_MATCHES.find((one) => one === name) ?? []);
    if (known.length === names.length) return known;
    context.addIssue({ code: 'custom', message: `Send one or several of: ${LEAD_MATCHES.join(',')}.` });
    return z.NEVER;
  })
  .meta({ description: `One or several of ${LEAD_MATCHES.join(',')}. The first that matches wins.` });

/** The fields that every write returns, also to a key that may not read leads. */
export const WRITTEN_LEAD = ['id', 'created', 'created_at', 'updated_at', 'stage_changed_at'] as const;

/**
 * The response to a write. `created` is present for a create. A key without `read:leads` gets the id, the times and the
 * fields that it sent.
 */
export const leadWritten = leadRecord.partial().extend({
  id: z.string(),
  created: z
    .boolean()
    .optional()
    .meta({ description: 'Only of a create: false if an existing lead matched and was changed.' }),
  stage: textOrNull.optional(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  created_at: instant,
  updated_at: instant,
});
export type LeadWrittenRecord = z.infer<typeof leadWritten>;

/** One change of a lead, as its history returns it. */
export const leadChange = z.object({
  sequence: z.number().int().meta({ description: 'Grows with every change of the lead.' }),
  kind: z.string(),
  at: instant,
  actor: z.object({ type: z.string(), id: z.string() }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The lead after the change.' }),
  previous: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The changed fields before the change; null for a new lead.' }),
  note: textOrNull,
});
export type LeadChangeRecord = z.infer<typeof leadChange>;

/** One field of a lead, for menus and mappings of automation platforms. */
export const leadField = z.object({
  key: z.string().meta({ description: 'As in a lead; `fields.<name>` for a custom field.' }),
  label: z.string(),
  type: z.enum(['string', 'number', 'boolean', 'array', 'datetime']),
  required: z.boolean(),
  choices: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .nullable()
    .meta({ description: 'The allowed values; null if there are no fixed ones.' }),
  read_only: z.boolean(),
});
export type LeadField = z.infer<typeof leadField>;
