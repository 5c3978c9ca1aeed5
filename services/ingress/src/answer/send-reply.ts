import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_CONTENT_TYPE, PROBLEMS, problemBody } from '@sluice/contract/problem';
import { endAfterLingering } from './linger.ts';
import type { Refusal } from './refusal.ts';
import type { RateHeaders, Reply } from './reply.ts';

type Headers = Record<string, string | number>;

/** Writes the answer. */
export function sendReply(response: ServerResponse, requestId: string, reply: Reply): void {
  switch (reply.kind) {
    case 'accepted':
      sendAccepted(response, requestId, reply);
      break;
    case 'refused':
      sendRefusal(
        response,
        requestId,
        reply.refusal,
        reply.rate === undefined ? {} : rateHeaders(reply.rate),
      );
      break;
  }
}

function sendAccepted(
  response: ServerResponse,
  requestId: string,
  accepted: Extract<Reply, { kind: 'accepted' }>,
): void {
  const { deliveryId, duplicate, rate } = accepted;
  const body = { ok: true, status: 'ok', delivery_id: deliveryId, ...(duplicate && { duplicate }) };
  send(response, 200, { 'content-type': 'application/json', ...rateHeaders(rate) }, requestId, body);
}

/** Writes a refusal as problem details (RFC 9457). */
export function sendRefusal(
  response: ServerResponse,
  requestId: string,
  refusal: Refusal,
  extra: Headers = {},
): void {
  const { code, detail, errors, retryAfterSeconds } = refusal;
  const headers: Headers = { 'content-type': PROBLEM_CONTENT_TYPE, ...extra };
  if (code === 'method_not_allowed') headers.allow = 'POST';
  if (retryAfterSeconds !== undefined) headers['retry-after'] = retryAfterSeconds;
  send(response, PROBLEMS[code].status, headers, requestId, problemBody(code, detail, requestId, errors));
}

function send(
  response: ServerResponse,
  status: number,
  headers: Headers,
  requestId: string,
  body: object,
): void {
  if (response.headersSent || response.destroyed) return;
  const payload = JSON.stringify(body);
  const bodyStillComing = !response.req.complete && hasBody(response.req);
  if (bodyStillComing) headers.connection = 'close';
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(payload),
    'x-request-id': requestId,
  });
  if (bodyStillComing) endAfterLingering(response, payload);
  // As a string it goes out in one piece with the headers; a Buffer would be a second one.
  else response.end(payload);
}

/** A request without a body counts as complete only after its handler was first called. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** draft-ietf-httpapi-ratelimit-headers: q requests in w seconds; r are left, all of them again in t seconds. */
function rateHeaders({ state, perSecond, burst }: RateHeaders): Headers {
  return {
    'ratelimit-policy': `"source";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`,
    ratelimit: `"source";r=${state.remaining};t=${state.resetSeconds}`,
  };
}
