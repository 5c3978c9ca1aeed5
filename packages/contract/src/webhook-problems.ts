import type { ProblemCode } from './problem.ts';

/** The problem codes of the webhook, in the order of its checks (docs/errors.md). */
export const WEBHOOK_PROBLEMS = [
  'method_not_allowed',
  'bad_request',
  'unsupported_media_type',
  'payload_too_large',
  'source_not_found',
  'signature_missing',
  'timestamp_invalid',
  'timestamp_expired',
  'signature_invalid',
  'too_many_bad_signatures',
  'source_inactive',
  'rate_limited',
  'malformed_json',
  'validation_failed',
  'plan_limit_reached',
  'unavailable',
  'internal_error',
] as const satisfies readonly ProblemCode[];

export type WebhookProblem = (typeof WEBHOOK_PROBLEMS)[number];

/** Codes without a row in the delivery log: the source is not known yet, or nothing can be enqueued. */
const NEVER_LOGGED: ReadonlySet<ProblemCode> = new Set(['bad_request', 'source_not_found', 'internal_error']);

/** The problem codes in a source's delivery log, in the same order. */
export const LOGGED_PROBLEMS: readonly WebhookProblem[] = WEBHOOK_PROBLEMS.filter(
  (code) => !NEVER_LOGGED.has(code),
);
