import * as z from 'zod';
import { parseInstant } from '../time/instant.ts';

/** The largest and the default page of a list. */
export const LIST_MAX = 200;
export const LIST_DEFAULT = 50;

/** The longest cursor that is read. Ours have about 120 characters, and 40 more while the secret key is being changed. */
const CURSOR_MAX = 1000;

export const LIST_SORTS = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type ListSort = (typeof LIST_SORTS)[number];

/** The `+` of an offset that a client did not encode: it arrives as a space. */
const BARE_PLUS = /(?<=T[\d:.,]+) (?=\d\d(?::?\d\d)?$)/;

/** Longer than any form with nanoseconds and an offset. */
const INSTANT_MAX = 40;

/** An instant in a query: any ISO 8601 datetime that the webhook accepts. Parsed to ms since the Unix epoch. */
export const instantParameter = z
  .string()
  .max(INSTANT_MAX, {
    error: `Longer than ${INSTANT_MAX} characters. Send an ISO 8601 datetime.`,
    abort: true,
  })
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const parsed = parseInstant(text.replace(BARE_PLUS, '+'));
    if (parsed.ok) return parsed.epochMs;
    context.addIssue({ code: 'custom', message: parsed.detail });
    return z.NEVER;
  });

/** The number of items of a page. Only digits: `1e2` and `0x10` are mistakes. */
const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `Not a whole number from 1 to ${LIST_MAX}.`)
  .transform(Number)
  .refine((count) => count <= LIST_MAX, `Larger than ${LIST_MAX}. Use a smaller limit and next_cursor.`)
  .default(LIST_DEFAULT)
  .meta({ parameter: { type: 'integer', minimum: 1, maximum: LIST_MAX, default: LIST_DEFAULT } });

const cursor = z
  .string()
  .max(CURSOR_MAX, 'Longer than any cursor. Pass next_cursor of the previous page unchanged.')
  .optional()
  .meta({
    description:
      '`next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204.',
  });

/** The parameters of a list with a fixed order. */
export const pageParameters = { limit, cursor };

/** The parameter of a list that is read again for what has changed. */
export const updatedSince = instantParameter.optional().meta({
  description: 'Only records changed at or after this instant. Pass `updated_until` of the last read.',
});

/** The parameters of a list of records. */
export const listParameters = {
  ...pageParameters,
  sort: z.enum(LIST_SORTS).default('-created_at'),
  updated_since: updatedSince,
};

/** A page of a list. `updated_until`, where the list has it: what to pass as the next `updated_since`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page.' }),
    has_more: z.boolean(),
    updated_until: z
      .string()
      .meta({
        format: 'date-time',
        description:
          'The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.',
      })
      .optional(),
  });
}
