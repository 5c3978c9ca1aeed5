import { parseInstant } from '@sluice/contract/instant';
import { ROLES } from '@sluice/contract/roles';
import * as z from 'zod';
import { MIN_PASSWORD_LENGTH } from './limits.ts';

/** An instant in UTC as every answer has it: `2026-12-01T17:00:00.000Z`. */
export const instantText = z.string().meta({ format: 'date-time' });

/** An instant as callers may write it: any ISO 8601 datetime that the webhook takes. Comes out as milliseconds. */
export const instantInput = z.string().transform((text, context) => {
  const parsed = parseInstant(text);
  if (parsed.ok) return parsed.epochMs;
  context.addIssue({ code: 'custom', message: parsed.detail });
  return z.NEVER;
});

export const roleSchema = z.enum(ROLES);

/** A name that people give to a thing. */
export const nameInput = z
  .string()
  .trim()
  .min(1, 'Empty. Give it a name.')
  .max(100, 'Longer than 100 characters. Shorten it.')
  .refine((text) => text.isWellFormed(), 'Holds half of a surrogate pair, which is no character.');

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

/** Which part of a list is wanted. `cursor` is the `next_cursor` of the part before. */
export const pageQuery = z.object({
  cursor: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});
export type PageQuery = z.input<typeof pageQuery>;

/** One part of a list; `next_cursor` is null at its end. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** A switch in a query string. */
export const flagInput = z.enum(['true', 'false']).transform((text) => text === 'true');
