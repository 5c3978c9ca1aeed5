import * as z from 'zod';
import { codePointsFit, kindOf, longerThan, string } from '../text/schema-parts.ts';
import { LEAD_MAX } from './lead-limits.ts';

/** The schemas of a lead's fields, with the messages for the client. */

const MALFORMED = 'Contains half of a surrogate pair, which is not a character. Send well-formed Unicode.';

/** A trimmed text. Empty means that there is none. */
export function leadText(max: number, example: string, clean = (text: string): string => text) {
  return string(example)
    .overwrite(clean)
    .trim()
    .refine((value) => value.isWellFormed(), MALFORMED)
    .refine((value) => codePointsFit(value, max), longerThan(max))
    .meta({ maxLength: max });
}

/** Catches typos only. Whether an address exists is known once a mail has arrived. */
const EMAIL = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+$/;

/** Characters that show nothing, which come along when an address is copied from a page. No address has them (RFC 6531). */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export function withoutInvisible(email: string): string {
  return email.replace(INVISIBLE, '');
}

export function leadEmail() {
  return leadText(LEAD_MAX.email, '"ada@example.com"', withoutInvisible).refine(
    (value) => value === '' || EMAIL.test(value),
    'Not an e-mail address. Example: "ada@example.com"',
  );
}

export function stageId() {
  return string('"stg_new"')
    .refine((value) => value.isWellFormed() && value.length <= 100, 'Not the id of a pipeline stage.')
    .meta({ maxLength: 100, description: 'Id of a pipeline stage.' });
}

/** Without repetitions, in their order. */
export function leadTags() {
  const tag = leadText(LEAD_MAX.tag, '"fair"').refine(
    (value) => value !== '',
    'Empty. Send the name of a tag.',
  );
  return z
    .array(tag, {
      error: ({ input }) => `Must be an array of strings, not ${kindOf(input)}. Example: ["fair"]`,
    })
    .max(LEAD_MAX.tags, `More than ${LEAD_MAX.tags} tags. Send fewer.`)
    .overwrite((tags) => [...new Set(tags)]);
}

const fieldName = z
  .string()
  .refine(
    (value) => value !== '' && value === value.trim() && value.isWellFormed() && !/\p{Cc}/u.test(value),
    'The name of a custom field is a text without spaces around it.',
  )
  .refine((value) => codePointsFit(value, LEAD_MAX.field_name), longerThan(LEAD_MAX.field_name))
  .meta({ minLength: 1, maxLength: LEAD_MAX.field_name });

const fieldValue = z.union(
  [
    string('"Berlin"')
      .refine((value) => value.isWellFormed(), MALFORMED)
      .refine((value) => codePointsFit(value, LEAD_MAX.field_text), longerThan(LEAD_MAX.field_text))
      .meta({ maxLength: LEAD_MAX.field_text }),
    // JSON.parse rounds a longer one, such as the id of another system.
    z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
    z.boolean(),
    z.null(),
  ],
  {
    error: ({ input }) =>
      typeof input === 'string'
        ? `Malformed Unicode, or longer than ${LEAD_MAX.field_text} characters.`
        : typeof input === 'number'
          ? `Beyond ±${Number.MAX_SAFE_INTEGER}, where numbers lose digits. Send it as a string.`
          : `Must be a string, a finite number, true, false or null, not ${kindOf(input)}.`,
  },
);

/** A record of zod leaves this name out, and its value would be lost without a word. */
const RESERVED = '__proto__';

/** Custom fields. A field with null or an empty text is removed. They are counted before each value is read, which costs more. */
export function customFields() {
  const fields = namedValues();
  return z.preprocess((value: z.input<typeof fields>, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (Object.hasOwn(value, RESERVED))
      context.addIssue({
        code: 'custom',
        path: [RESERVED],
        message: 'This name is reserved. Use another one.',
      });
    if (Object.keys(value).length > LEAD_MAX.fields)
      context.addIssue({
        code: 'custom',
        message: `More than ${LEAD_MAX.fields} custom fields. Send fewer.`,
      });
    return value;
  }, fields);
}

function namedValues() {
  return z
    .record(fieldName, fieldValue, {
      error: (issue) =>
        issue.code === 'invalid_type'
          ? `Must be an object, not ${kindOf(issue.input)}. Example: {"budget": 5000}`
          : issue.code === 'invalid_key'
            ? `The name of a custom field has 1 to ${LEAD_MAX.field_name} characters and no spaces around it.`
            : undefined,
    })
    .meta({ maxProperties: LEAD_MAX.fields });
}

/** The fields that have a value, without null and the empty text. */
type Filled<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** Removes fields without a value, because a create has nothing to clear. */
export function droppedEmpty<T extends object>(input: T): Filled<T> {
  const filled = Object.entries(input).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(filled) as Filled<T>;
}

type Cleared<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Replaces empty texts with null, which clears the field. Absent fields stay absent. */
export function emptyAsNull<T extends object>(patch: T): Cleared<T> {
  const sent = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([key, value]) => [key, isEmpty(value) ? null : value])) as Cleared<T>;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
