import { ACTION_KINDS } from '@sluice/contract/event/action';
import { type EventField, forEachField } from '@sluice/contract/event/event-fields';
import type { FieldError } from '@sluice/contract/problem/problem';
import { plainIssue } from '@sluice/contract/text/plain-issue';
import { zoneClock } from '@sluice/contract/time/zone-clock';
import * as z from 'zod';
import { errorsOf, headerName, pointer } from '../sender/profile.ts';

/** How the body of another sender becomes an action, as data (docs/senders.md). No code and no regular expression. */

const MAX_MAPPING_BYTES = 16 * 1024;
/** The elements of a list that `find` looks at. */
export const MAX_SCANNED = 200;

const text = z.string().max(500);
const scalar = z.union([z.string().max(500), z.number(), z.boolean()], {
  error: () => 'Must be a text, a number, true or false.',
});

const TESTS = ['eq', 'in', 'exists', 'absent', 'starts_with'] as const;
const condition = z
  .strictObject({
    at: pointer.optional(),
    header: headerName.optional(),
    eq: scalar.optional(),
    in: z.array(scalar).min(1).max(50, 'At most 50 values.').optional(),
    exists: z.literal(true).optional(),
    absent: z.literal(true).optional(),
    starts_with: text.min(1).optional(),
  })
  .superRefine(onlyOne(['at', 'header']))
  .superRefine(onlyOne(TESTS));

/** What can be done with a text once it is found. */
const changes = {
  /** The part in front of the first occurrence of a literal, or behind it. Without an occurrence there is no value. */
  before: text.min(1).optional(),
  after: text.min(1).optional(),
  values: z
    .record(text, text)
    .refine((table) => Object.keys(table).length <= 50, 'At most 50 values.')
    .optional(),
  /** The text if there is none. */
  or: text.optional(),
};

const find = z.strictObject({
  in: pointer,
  where: z.strictObject({ at: pointer, eq: scalar }),
  at: pointer,
});

const leafFields = { at: pointer.optional(), const: text.optional(), find: find.optional(), ...changes };
const leaf = z.strictObject(leafFields).superRefine(onlyOne(['at', 'const', 'find']));

const valueFields = {
  ...leafFields,
  any: z.array(leaf).min(1).max(5, 'At most 5 values.').optional(),
  join: z
    .array(z.union([text, leaf], { error: () => 'Send a text, or a value such as {"at":"/title"}.' }))
    .min(1)
    .max(10, 'At most 10 parts.')
    .optional(),
};
const SOURCES = ['at', 'const', 'find', 'any', 'join'] as const;
const value = z.strictObject(valueFields).superRefine(onlyOne(SOURCES));

const time = z
  .strictObject({
    ...valueFields,
    date: value.optional(),
    time: value.optional(),
    unit: z.enum(['s', 'ms']).optional(),
    plus_minutes: z.int().min(1).max(527_040, 'At most a year.').optional(),
  })
  .superRefine((input, context) => {
    if ((input.date === undefined) !== (input.time === undefined))
      context.addIssue({ code: 'custom', message: 'Send date and time together.' });
    onlyOne([...SOURCES, 'date'])(input, context);
  });

export const TIMES: ReadonlySet<string> = new Set(['starts_at', 'ends_at']);
const event = z.strictObject({
  ...(forEachField((name) => (TIMES.has(name) ? time.optional() : value.optional())) as {
    readonly [Name in EventField]: Name extends 'starts_at' | 'ends_at'
      ? z.ZodOptional<typeof time>
      : z.ZodOptional<typeof value>;
  }),
  replaces: value.optional(),
});

const rule = z
  .strictObject({
    when: z.array(condition).max(10, 'At most 10 conditions.').default([]),
    do: z.enum([...ACTION_KINDS, 'ignore']),
    event: event.optional(),
  })
  .superRefine((input, context) => {
    const isNamed = input.do !== 'upsert' && input.event?.external_id !== undefined;
    if (input.do === 'ignore' || isNamed) return;
    const message =
      input.do === 'upsert' ? 'Required.' : 'Required: it identifies the event. Or send external_id.';
    for (const name of ['title', 'starts_at'] as const)
      if (input.event?.[name] === undefined)
        context.addIssue({ code: 'custom', path: ['event', name], message });
  });

const mapping = z
  .strictObject({
    /** The time zone of times without an offset. Absent: UTC. */
    zone: value.optional(),
    /** The sender may send forms. `json`: the field that has JSON. Absent: the body is JSON. */
    form: z.strictObject({ json: text.min(1).optional() }).optional(),
    /** When the change was made. It decides between two actions with an `external_id`, and is ignored in others. */
    occurred_at: time.optional(),
    /** Without a rule everything is ignored. */
    rules: z.array(rule).max(50, 'At most 50 rules.'),
  })
  .superRefine(({ zone }, context) => {
    for (const name of [zone?.const, zone?.or])
      if (name !== undefined && zoneClock(name) === undefined)
        context.addIssue({
          code: 'custom',
          path: ['zone'],
          message: 'Not a time zone. Example: Europe/Berlin',
        });
  });

export type Mapping = z.output<typeof mapping>;
export type MappingInput = z.input<typeof mapping>;
export type Condition = z.output<typeof condition>;
export type Leaf = z.output<typeof leaf>;
export type Value = z.output<typeof value>;
export type Time = z.output<typeof time>;

export type ReadMapping =
  | { readonly outcome: 'valid'; readonly mapping: Mapping }
  | { readonly outcome: 'invalid'; readonly errors: readonly FieldError[] };

/** Reads a mapping as an admin has sent it. Unknown keys are errors. */
export function readMapping(input: unknown): ReadMapping {
  const read = mapping.safeParse(input, { error: plainIssue });
  if (!read.success) return { outcome: 'invalid', errors: errorsOf(read.error) };
  if (JSON.stringify(read.data).length <= MAX_MAPPING_BYTES) return { outcome: 'valid', mapping: read.data };
  return { outcome: 'invalid', errors: [{ pointer: '', detail: 'Larger than 16 KiB. Shorten it.' }] };
}

function onlyOne(names: readonly string[]) {
  return (input: object, context: z.RefinementCtx): void => {
    const found = names.filter((name) => (input as Record<string, unknown>)[name] !== undefined);
    if (found.length === 1) return;
    context.addIssue({ code: 'custom', message: `Send exactly one of: ${names.join(', ')}.` });
  };
}
