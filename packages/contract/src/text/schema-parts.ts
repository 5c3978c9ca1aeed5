import * as z from 'zod';
import { parseInstant } from '../time/instant.ts';

/** The parts of the schemas of webhook bodies, with the messages for the sender. */

const MALFORMED_TEXT =
  'Contains half of a surrogate pair, which is not a character. Send well-formed Unicode.';

export const longerThan = (max: number): string => `Longer than ${max} characters. Shorten it.`;

export function string(example: string) {
  return z.string({
    error: ({ input }) =>
      input === undefined
        ? `Required. Example: ${example}`
        : `Must be a string, not ${kindOf(input)}. Example: ${example}`,
  });
}

export function text(max: number, example: string) {
  return string(example)
    .refine((value) => value.isWellFormed(), MALFORMED_TEXT)
    .refine((value) => codePointsFit(value, max), longerThan(max))
    .meta({ maxLength: max });
}

export function instant(example: string) {
  return string(example)
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

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: ({ input }) =>
      `${input === undefined ? 'Required' : 'Not known'}. Send one of: ${values.join(', ')}.`,
  });
}

export function objectExpected(input: unknown, example: string): string {
  const found = input === undefined ? 'Required' : `Must be an object, not ${kindOf(input)}`;
  return `${found}. Example: ${example}`;
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Counts characters as people do: one outside the basic plane is one character, although JavaScript stores two units. */
export function codePointsFit(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > max * 2) return false;
  let count = 0;
  for (const _ of value) count++;
  return count <= max;
}
