import type * as z from 'zod';
import { kindOf, longerThan } from './schema-parts.ts';

/** The types of zod, as a sentence names them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/**
 * The sentence about a wrong value whose schema has none. Undefined: that of zod. Pass it to `safeParse`, where a message of
 * the schema has priority.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return 'Required.';
      if (issue.expected === 'int') return 'Must be a whole number.';
      return `Must be ${TYPES[issue.expected] ?? issue.expected}, not ${kindOf(input)}.`;
    case 'invalid_value':
      return `${input === undefined ? 'Required' : 'Not known'}. Send one of: ${issue.values.join(', ')}.`;
    case 'too_big':
      return issue.origin === 'string' ? longerThan(Number(issue.maximum)) : undefined;
    default:
      return undefined;
  }
}
