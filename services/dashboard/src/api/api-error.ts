import type { FieldError } from '@sluice/contract/problem';

/** A refusal or a failed call, with what a person needs to act on it or to report it. */
export class ApiError extends Error {
  /** 0 where no answer came. */
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

/** What an input field should say of the error, if it is about this field: `/name` for the field `name`. */
export function fieldError(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.errors.find((one) => one.pointer === pointer)?.detail;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
