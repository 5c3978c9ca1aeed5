import { PROBLEM_CONTENT_TYPE, PROBLEMS, problemBody } from '@sluice/contract/problem/problem';
import { newId } from '@sluice/credentials/ids';
import type { Response } from 'express';
import type { Refusal } from './result.ts';

/** The id of a request, as in its response and log lines. */
export function requestIdOf(response: Response): string {
  return (response.locals.requestId as string | undefined) ?? newId('req');
}

/** Writes a rejection as problem details (RFC 9457). */
export function sendRefusal(response: Response, refusal: Refusal): void {
  const { code, detail, errors, retryAfterSeconds, requiredScopes, reason = 'other' } = refusal;
  const body = {
    ...problemBody(code, detail, requestIdOf(response), errors),
    ...(requiredScopes !== undefined && { required_scopes: requiredScopes }),
  };
  // RFC 6750, section 3.1.
  if (requiredScopes !== undefined)
    response.setHeader(
      'www-authenticate',
      `Bearer error="insufficient_scope", scope="${requiredScopes.join(' ')}"`,
    );
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  response.locals.code = code;
  if (code === 'unavailable') response.locals.unavailable = reason;
  response.statusCode = PROBLEMS[code].status;
  response.setHeader('content-type', PROBLEM_CONTENT_TYPE);
  response.end(JSON.stringify(body));
}

/** Writes JSON. null sends a response without a body. */
export function sendJson(response: Response, status: number, body: unknown): void {
  response.statusCode = status;
  if (body === null) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
