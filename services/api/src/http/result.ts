import type { Scope } from '@sluice/contract/account/scopes';
import type { UnavailableReason } from '@sluice/contract/problem/action-refused';
import { detailOfFields } from '@sluice/contract/problem/field-errors';
import type { FieldError, ProblemCode } from '@sluice/contract/problem/problem';

/** Why a request is rejected, and what to do about it. */
export interface Refusal {
  readonly outcome: 'refused';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
  /** With `scope_missing`: any one of these scopes is enough. */
  readonly requiredScopes?: readonly Scope[];
  /** With `unavailable`, for the log. The response omits it. */
  readonly reason?: UnavailableReason;
}

/** The result of a handler: the body of a success, or a rejection. */
export type Result<T> = { readonly outcome: 'done'; readonly body: T } | Refusal;

/** Creates a success with its body. */
export function done<T>(body: T): Result<T> {
  return { outcome: 'done', body };
}

/** Creates a rejection. `detail` explains what to do next. */
export function refuse(
  code: ProblemCode,
  detail: string,
  extra: Pick<Refusal, 'errors' | 'retryAfterSeconds' | 'requiredScopes' | 'reason'> = {},
): Refusal {
  return { outcome: 'refused', code, detail, ...extra };
}

/** The account has no such object. Also used for objects of other accounts, so that their existence stays hidden. */
export function notFound(what: string): Refusal {
  return refuse('not_found', `This account has no such ${what}. Reload the list.`);
}

/** Rejects a request with wrong fields, and names each of them. */
export function refuseFields(errors: readonly FieldError[]): Refusal {
  return refuse('validation_failed', detailOfFields('Correct the fields named in errors.', errors), {
    errors,
  });
}
