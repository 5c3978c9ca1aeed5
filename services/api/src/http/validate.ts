import type { FieldError } from '@sluice/contract/problem';
import type * as z from 'zod';
import { type Refusal, refuse } from './result.ts';

export type Validated<T> = { readonly outcome: 'valid'; readonly value: T } | Refusal;

/** Parses input with its schema, or returns how to correct each invalid field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): Validated<T> {
  const read = schema.safeParse(value);
  if (read.success) return { outcome: 'valid', value: read.data };
  const errors = read.error.issues.map(
    (issue): FieldError => ({
      pointer: issue.path.map((part) => `/${String(part)}`).join(''),
      detail: issue.message,
    }),
  );
  return refuse('validation_failed', 'Correct the fields named in errors.', { errors });
}
