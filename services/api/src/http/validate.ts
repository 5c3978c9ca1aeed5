import { type FieldError, pointerTo } from '@sluice/contract/problem/problem';
import { plainIssue } from '@sluice/contract/text/plain-issue';
import type * as z from 'zod';
import type { Refusal } from './result.ts';
import { refuseFields } from './result.ts';

export type Validated<T> = { readonly outcome: 'valid'; readonly value: T } | Refusal;

const UNKNOWN_FIELD = 'Unknown field. Check its spelling, or remove it.';

/** The most errors in one response. A list of 10,000 wrong items has as many. */
const MAX_ERRORS = 50;

/** The most members of one array or object, unknown ones included. No schema allows more. */
const MAX_MEMBERS = 1000;
/** No schema reads deeper. */
const MAX_DEPTH = 6;

/**
 * The place of an array or object with too many members. A schema takes microseconds for each, also to reject it, so they are
 * counted before.
 */
function crowdedPlace(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return undefined;
  if ((Array.isArray(value) ? value : Object.keys(value)).length > MAX_MEMBERS) return path;
  for (const [key, one] of Object.entries(value)) {
    const found = typeof one === 'object' ? crowdedPlace(one, [...path, key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parses input with its schema, or returns how to correct each invalid field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): Validated<T> {
  const crowded = crowdedPlace(value);
  if (crowded !== undefined)
    return refuseFields([
      { pointer: pointerTo(crowded), detail: `More than ${MAX_MEMBERS} members. Send fewer.` },
    ]);
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
