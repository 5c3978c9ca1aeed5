import type * as z from 'zod';
import { locateJsonError } from './json-error.ts';
import type { FieldError } from './problem.ts';

/** The result of parsing the body of a signed request. */
export type Parsed<A, K> =
  | { readonly outcome: 'valid'; readonly action: A }
  | { readonly outcome: 'malformed_json'; readonly detail: string }
  | {
      readonly outcome: 'validation_failed';
      readonly errors: readonly FieldError[];
      /** The readable parts of a wrong body, for the delivery log. */
      readonly action: K | null;
      readonly title: string | null;
    };

export type Malformed = Extract<Parsed<never, never>, { outcome: 'malformed_json' }>;

const NOT_UTF8: Malformed = {
  outcome: 'malformed_json',
  detail: 'The body is not valid UTF-8. Send JSON encoded as UTF-8.',
};

/** A mark of UTF-8 at the start of a text. It is not a part of the JSON (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads the JSON value of a decoded body; undefined stands for a body that is not UTF-8. `read` is a constant function, so that
 * a request costs no closure.
 */
export function readJson<T>(body: string | undefined, read: (value: unknown) => T): T | Malformed {
  if (body === undefined) return NOT_UTF8;
  const text = body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const where = locateJsonError(text);
    return { outcome: 'malformed_json', detail: `The body is not valid JSON (${where}). Correct it there.` };
  }
  return read(value);
}

/** The wrong fields of a body, by RFC 6901 pointer. */
export function pointersOf({ issues }: z.ZodError): FieldError[] {
  return issues.map(({ path, message }) => ({
    pointer: path.map((part) => `/${String(part)}`).join(''),
    detail: message,
  }));
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
