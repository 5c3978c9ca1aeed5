import type * as z from 'zod';
import { type FieldError, pointerTo } from './problem.ts';

/** The result of parsing the body of a signed request. */
export type Parsed<A, K> =
  | {
      readonly outcome: 'valid';
      readonly action: A;
      /** The names of fields that were sent and are not read. Absent: none. */
      readonly unread?: readonly string[];
    }
  | { readonly outcome: 'malformed_json'; readonly detail: string }
  | {
      readonly outcome: 'validation_failed';
      readonly errors: readonly FieldError[];
      /** The readable parts of a wrong body, for the delivery log. */
      readonly action: K | null;
      readonly title: string | null;
    };

export type Malformed = Extract<Parsed<never, never>, { outcome: 'malformed_json' }>;

/** The wrong fields of a body, by RFC 6901 pointer. */
export function pointersOf({ issues }: z.ZodError): FieldError[] {
  return issues.map(({ path, message }) => ({
    pointer: pointerTo(path),
    detail: message,
  }));
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
