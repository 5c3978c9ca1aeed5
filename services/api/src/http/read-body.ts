import { decodeBody, readJson } from '@sluice/contract/parse-action';
import type { Request, Response } from 'express';
import getRawBody from 'raw-body';
import { hasBody, waitsForContinue } from './announced-body.ts';
import { type Refusal, refuse } from './result.ts';

/** Default limit of a body, larger than any form of the dashboard. Bytes. */
export const BODY_BYTES = 16 * 1024;

/** Limit of a body of the public API. Bytes. */
export const PUBLIC_BODY_BYTES = 256 * 1024;

/** Limit for a batch of imported rows and for a test request: its 256 KiB grow inside a JSON string. Bytes. */
export const LARGE_BODY_BYTES = 1024 * 1024;

export type BodyRead = { readonly outcome: 'read'; readonly value: unknown } | Refusal;

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
 * because any page could post one. A rejected body stays unread: see unread-body.ts. Call this after authentication.
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
