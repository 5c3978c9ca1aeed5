import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
import type { PublicRoute } from './declare-route.ts';

/** Every problem code that a route can respond with: its own, and those of the layer. */
export function routeProblems(route: PublicRoute<never>): readonly ProblemCode[] {
  const hasParams = route.path.includes(':');
  const hasInput = route.query !== undefined || route.method !== 'DELETE';
  const codes: ProblemCode[] = [
    'key_missing',
    'key_invalid',
    'key_revoked',
    'key_expired',
    ...some(route.scopes !== 'any_live_key', 'scope_missing'),
    ...some(route.rated !== false, 'rate_limited'),
    'method_not_allowed',
    ...some(hasParams, 'bad_request'),
    ...some(hasInput, 'validation_failed'),
    ...some(route.body !== undefined, 'malformed_json', 'payload_too_large', 'unsupported_media_type'),
    ...some(route.readAgain !== undefined, 'idempotency_in_progress', 'idempotency_key_reused'),
    ...some(route.ifMatch === true, 'changed_meanwhile'),
    ...route.problems,
    'unavailable',
    'internal_error',
  ];
  const unique = [...new Set(codes)];
  return unique.sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
}

function some(applies: boolean, ...codes: ProblemCode[]): ProblemCode[] {
  return applies ? codes : [];
}
