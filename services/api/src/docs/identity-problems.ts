import type { ProblemCode } from '@sluice/contract/problem';

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
