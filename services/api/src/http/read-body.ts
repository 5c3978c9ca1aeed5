import type { IncomingMessage } from 'node:http';
import { readJson } from '@sluice/contract/event/parse-action';
import { decodeBody } from '@sluice/contract/event/parse-bytes';
import { createDropRest } from '@sluice/runtime/http/drop-rest';
import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import type { Request, RequestHandler, Response } from 'express';
import getRawBody from 'raw-body';
import { type Refusal, refuse } from './result.ts';

/** Default limit of a body, larger than any form of the dashboard. Bytes. */
export const BODY_BYTES = 16 * 1024;

/** Limit of a body of the public API. Bytes. */
export const PUBLIC_BODY_BYTES = 256 * 1024;

/** Limit for a batch of imported rows and for a test request: its 256 KiB grow inside a JSON string. Bytes. */
export const LARGE_BODY_BYTES = 1024 * 1024;

type BodyRead = { readonly outcome: 'read'; readonly value: unknown } | Refusal;

const NOT_JSON_TYPE = refuse(
  'unsupported_media_type',
  'Send the body as JSON, with the header Content-Type: application/json.',
);
const COMPRESSED = refuse(
  'unsupported_media_type',
  'This API does not accept compressed bodies. Send the body uncompressed, without the header Content-Encoding.',
);
const CUT_SHORT = refuse('malformed_json', 'The body is incomplete. Send it again.');

/**
 * Reads and parses a JSON body of at most `limit` bytes. A request without a body counts as `{}`. Forms are rejected,
 * because any page could post one. A rejected body stays unread. Call this after authentication.
 */
export async function readJsonBody(request: Request, response: Response, limit: number): Promise<BodyRead> {
  if (!hasBody(request)) return { outcome: 'read', value: {} };
  if (!request.is(['application/json', 'application/merge-patch+json'])) return NOT_JSON_TYPE;
  if ((request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') return COMPRESSED;
  const length = request.get('content-length');
  if (Number(length ?? 0) > limit) return tooLarge(limit);
  if (waitsForContinue(request)) response.writeContinue();
  try {
    return parse(await getRawBody(request, { limit, length: length ?? null }));
  } catch (error) {
    return (error as Partial<getRawBody.RawBodyError>).type === 'entity.too.large'
      ? tooLarge(limit)
      : CUT_SHORT;
  }
}

function parse(bytes: Buffer): BodyRead {
  if (bytes.length === 0) return { outcome: 'read', value: {} };
  const read = readJson(decodeBody(bytes), (value) => ({ outcome: 'read', value }) as const);
  return read.outcome === 'read' ? read : refuse('malformed_json', read.detail);
}

function tooLarge(limit: number): Refusal {
  return refuse('payload_too_large', `The body is larger than ${limit / 1024} KiB. Shorten it.`);
}

/** Whether the request headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the sender waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). */
export function waitsForContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/** Whether the headers announce a body of more than `bytes`, or do not state its length. */
function mayExceed(request: IncomingMessage, bytes: number): boolean {
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;
}

/** Node reads this much of a body after the response, so that the connection can be reused. Bytes. */
const READ_BEHIND_BYTES = 16 * 1024;

/** The sender has a second to read the response. */
const dropRest = createDropRest({
  bytes: 64 * 1024,
  totalMs: 1000,
  idleMs: 1000,
  bytesPerSecond: Number.POSITIVE_INFINITY,
});

/**
 * Closes a connection whose response is sent before its body has arrived: Node would read such a body to its end,
 * however long. The response carries Connection: close and reaches the sender first. A short body is read, and its
 * connection stays open.
 */
export const endBehindUnreadBody: RequestHandler = (request, response, next) => {
  if (mayExceed(request, READ_BEHIND_BYTES) || waitsForContinue(request)) lingerAtEnd(request, response);
  next();
};

/** Checks when the response ends whether the body has arrived. */
function lingerAtEnd(request: Request, response: Response): void {
  const { socket } = request;
  const end = response.end;
  const endLate = (chunk?: string | Buffer, encoding?: BufferEncoding): Response => {
    response.end = end;
    if (request.complete || request.destroyed)
      return chunk === undefined ? response.end() : response.end(chunk, encoding ?? 'utf8');
    rememberLastResponse(socket);
    if (!response.headersSent) {
      response.setHeader('connection', 'close');
      if (chunk !== undefined) response.setHeader('content-length', Buffer.byteLength(chunk, encoding));
      response.flushHeaders();
    }
    if (chunk !== undefined) response.write(chunk, encoding ?? 'utf8');
    // The headers of a file in progress were sent without Connection: close.
    response.once('finish', () => socket.destroySoon());
    dropRest(request, () => response.end());
    return response;
  };
  response.end = endLate as Response['end'];
}
