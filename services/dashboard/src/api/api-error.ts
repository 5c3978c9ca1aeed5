import type { FieldError } from '@sluice/contract/problem/problem';

/** A rejected or failed call, with what a user needs to act on it or to report it. */
export class ApiError extends Error {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];

  constructor(init: {
    status: number;
    code: string;
    message: string;
    requestId: string | null;
    errors?: readonly FieldError[];
  }) {
    super(init.message);
    this.name = 'ApiError';
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.errors = init.errors ?? [];
  }
}

/**
 * Returns the error of one input field: `/name` for the field `name`. Undefined if the error is about something else.
 */
export function fieldError(error: unknown, pointer: string): string | undefined {
  return errorsOf(error).find((one) => one.pointer === pointer)?.detail;
}

/** The errors of all fields. */
export function errorsOf(error: unknown): readonly FieldError[] {
  return error instanceof ApiError ? error.errors : [];
}

/** Returns whether a call failed because what it asks for does not exist, or belongs to another account. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
