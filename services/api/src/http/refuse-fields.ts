import { detailOfFields } from '@sluice/contract/field-errors';
import type { FieldError } from '@sluice/contract/problem';
import { type Refusal, refuse } from './result.ts';

/** Rejects a request with wrong fields, and names each of them. */
export function refuseFields(errors: readonly FieldError[]): Refusal {
  return refuse('validation_failed', detailOfFields('Correct the fields named in errors.', errors), {
    errors,
  });
}
