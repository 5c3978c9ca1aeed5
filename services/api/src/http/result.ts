import type { FieldError, ProblemCode } from '@sluice/contract/problem';

/** Why a request is refused, and what to do about it. */
export interface Refusal {
  readonly outcome: 'refused';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Whole seconds after which a repetition may succeed. */
  readonly retryAfterSeconds?: number;
}

/** What a handler makes of a request: the body of a success, or a refusal. */
export type Result<T> = { readonly outcome: 'done'; readonly body: T } | Refusal;

/** A success with its body. */
export function done<T>(body: T): Result<T> {
  return { outcome: 'done', body };
}

/** A refusal; `detail` tells the caller what to do next. */
export function refuse(
  code: ProblemCode,
  detail: string,
  extra: Pick<Refusal, 'errors' | 'retryAfterSeconds'> = {},
): Refusal {
  return { outcome: 'refused', code, detail, ...extra };
}

/** No such thing in the account that is worked in: said of what belongs to others, too. */
export function notFound(what: string): Refusal {
  return refuse('not_found', `This account has no such ${what}. Look at the list again.`);
}
