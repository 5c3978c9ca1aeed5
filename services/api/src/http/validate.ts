import { plainIssue } from '@sluice/contract/plain-issue';
import { type FieldError, pointerTo } from '@sluice/contract/problem';
import type * as z from 'zod';
import { refuseFields } from './refuse-fields.ts';
import type { Refusal } from './result.ts';

export type Validated<T> = { readonly outcome: 'valid'; readonly value: T } | Refusal;

const UNKNOWN_FIELD = 'Unknown field. Check its spelling, or remove it.';

/** The most errors in one response. A list of 10,000 wrong items has as many. */
const MAX_ERRORS = 50;

/** Parses input with its schema, or returns how to correct each invalid field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): Validated<T> {
  const read = schema.safeParse(value, { error: plainIssue });
  if (read.success) return { outcome: 'valid', value: read.data };
  const errors = read.error.issues.slice(0, MAX_ERRORS).flatMap(errorsOf).slice(0, MAX_ERRORS);
  return refuseFields(errors);
}

/** Parses the parameters of a URL. A parameter that is sent twice is an array in `query`, which would be a strange word for it. */
export function validateQuery<T>(
  schema: z.ZodType<T>,
  query: Readonly<Record<string, unknown>>,
): Validated<T> {
  const read = validate(schema, query);
  if (read.outcome === 'valid' || read.errors === undefined) return read;
  return refuseFields(
    read.errors.map((error) => {
      if (error.detail === UNKNOWN_FIELD)
        return { ...error, detail: 'Unknown parameter. Check its spelling, or remove it.' };
      const isRepeated = Array.isArray(query[error.pointer.slice(1)]);
      return isRepeated ? { ...error, detail: 'Sent more than once. Send it once.' } : error;
    }),
  );
}

/** An unknown field has its own pointer. zod reports it at the object that contains it. */
function errorsOf(issue: z.core.$ZodIssue): readonly FieldError[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ pointer: pointerTo(path), detail: message }];
  return issue.keys.map((key) => ({
    pointer: pointerTo([...path, key]),
    detail: UNKNOWN_FIELD,
  }));
}
