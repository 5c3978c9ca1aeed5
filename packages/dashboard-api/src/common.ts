import { ROLES } from '@sluice/contract/account/roles';
import { parseInstant } from '@sluice/contract/time/instant';
import * as z from 'zod';
import { MIN_PASSWORD_LENGTH } from './limits.ts';

/** An instant in UTC, as in every response: `2026-12-01T17:00:00.000Z`. */
export const instantText = z.string().meta({ format: 'date-time' });

/** An instant in a request: any ISO 8601 datetime that the webhook accepts. Parsed to ms since the Unix epoch. */
export const instantInput = z.string().transform((text, context) => {
  const parsed = parseInstant(text);
  if (parsed.ok) return parsed.epochMs;
  context.addIssue({ code: 'custom', message: parsed.detail });
  return z.NEVER;
});

export const roleSchema = z.enum(ROLES);

/** Blanks, control characters and joiners, such as U+200B, show nothing. An empty text has its own message. */
const VISIBLE = /^$|[^\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

/** A name that a user gives to a source, a key or themselves. */
export const nameInput = z
  .string()
  .trim()
  .min(1, 'Empty. Give it a name.')
  .max(100, 'Longer than 100 characters. Shorten it.')
  .refine((text) => VISIBLE.test(text), 'Only characters that cannot be seen. Give it a name.')
  .refine((text) => text.isWellFormed(), 'Contains half of a surrogate pair, which is not a character.');

export const emailInput = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Longer than 254 characters.')
  .regex(/^[^\s@]+@[^\s@]+$/, 'Not an email address. Example: ada@example.com');

export const passwordInput = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `Shorter than ${MIN_PASSWORD_LENGTH} characters. Choose a longer one.`)
  .max(256, 'Longer than 256 characters. Choose a shorter one.');

/** Selects one page of a list. `cursor` is the `next_cursor` of the previous page. */
export const pageQuery = z.object({
  cursor: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});
export type PageQuery = z.input<typeof pageQuery>;

/** One page of a list; `next_cursor` is null on the last page. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** A boolean in a query string. */
export const flagInput = z.enum(['true', 'false']).transform((text) => text === 'true');
