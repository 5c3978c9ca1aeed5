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
      sendRefusal(response, requestId, reply.refusal, reply.rate);
      break;
  }
}

function sendAccepted(
  response: ServerResponse,
  requestId: string,
  accepted: Extract<Reply, { kind: 'accepted' }>,
): void {
  const { deliveryId, duplicate, rate } = accepted;
  const body = { ok: true, status: 'ok', delivery_id: deliveryId, duplicate: duplicate || undefined };
  send(response, 200, headersOf('application/json', requestId, rate), body);
}

/** Writes a refusal as problem details (RFC 9457). */
export function sendRefusal(
  response: ServerResponse,
  requestId: string,
  refusal: Refusal,
  rate?: RateHeaders,
): void {
  const { code, detail, errors, retryAfterSeconds } = refusal;
  const headers = headersOf(PROBLEM_CONTENT_TYPE, requestId, rate);
  if (code === 'method_not_allowed') headers.allow = 'POST';
  if (retryAfterSeconds !== undefined) headers['retry-after'] = retryAfterSeconds;
  send(response, PROBLEMS[code].status, headers, problemBody(code, detail, requestId, errors));
}

/**
 * The headers of every answer, and the rate where it is known.
 * draft-ietf-httpapi-ratelimit-headers: q requests in w seconds; r are left, all of them again in t seconds.
 */
function headersOf(contentType: string, requestId: string, rate: RateHeaders | undefined): Headers {
  const headers: Headers = { 'content-type': contentType, 'content-length': 0, 'x-request-id': requestId };
  if (rate !== undefined) {
    const { state, perSecond, burst } = rate;
    headers['ratelimit-policy'] = `"source";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
    headers.ratelimit = `"source";r=${state.remaining};t=${state.resetSeconds}`;
  }
  return headers;
}

function send(response: ServerResponse, status: number, headers: Headers, body: object): void {
  if (response.headersSent || response.destroyed) return;
  const payload = JSON.stringify(body);
  const bodyStillComing = !response.req.complete && hasBody(response.req);
  if (bodyStillComing) headers.connection = 'close';
  headers['content-length'] = Buffer.byteLength(payload);
  response.writeHead(status, headers);
  if (bodyStillComing) endAfterLingering(response, payload);
  else endInOnePiece(response, payload);
}

/**
 * As a string the body goes out in one piece with the headers. `end(payload)` would add an empty piece, and two are
 * gathered in memory of their own first (docs/speed-tried.md).
 */
function endInOnePiece(response: ServerResponse, payload: string): void {
  const { socket } = response;
  // None yet: an earlier request of the same connection is still to be answered. Or its client reads slowly.
  if (socket === null || socket.writableLength > 0) return void response.end(payload);
  socket.cork();
  response.write(payload);
  socket.uncork();
  response.end();
}

/** A request without a body counts as complete only after its handler was first called. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
