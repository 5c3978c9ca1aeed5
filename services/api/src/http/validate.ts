import { plainIssue } from '@sluice/contract/plain-issue';
import { type FieldError, pointerTo } from '@sluice/contract/problem';
import type * as z from 'zod';
import { refuseFields } from './refuse-fields.ts';
import type { Refusal } from './result.ts';

export type Validated<T> = { readonly outcome: 'valid'; readonly value: T } | Refusal;

/** The most errors in one response. A list of 10,000 wrong items has as many. */
const MAX_ERRORS = 50;

/** Parses input with its schema, or returns how to correct each invalid field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): Validated<T> {
  const read = schema.safeParse(value, { error: plainIssue });
  if (read.success) return { outcome: 'valid', value: read.data };
  const errors = read.error.issues.slice(0, MAX_ERRORS).flatMap(errorsOf).slice(0, MAX_ERRORS);
  return refuseFields(errors);
}

/** An unknown field has its own pointer. zod reports it at the object that contains it. */
function errorsOf(issue: z.core.$ZodIssue): readonly FieldError[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ pointer: pointerTo(path), detail: message }];
  return issue.keys.map((key) => ({
    pointer: pointerTo([...path, key]),
    detail: 'Unknown field. Check its spelling, or remove it.',
  }));
}
