import type { ProblemCode } from '@sluice/contract/problem';

/** Which refusals the webhook can answer with (design: Answers), in the order of its checks. */
export const WEBHOOK_PROBLEMS: readonly ProblemCode[] = [
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
];

/** Which refusals the identity check can answer with. */
export const IDENTITY_PROBLEMS: readonly ProblemCode[] = [
  'key_missing',
  'key_invalid',
  'key_revoked',
  'key_expired',
  'method_not_allowed',
  'rate_limited',
  'unavailable',
  'internal_error',
];
