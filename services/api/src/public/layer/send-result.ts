import { hash } from 'node:crypto';
import type { Scope } from '@sluice/contract/account/scopes';
import type { Request, Response } from 'express';
import type * as z from 'zod';
import { jsonSchemaOf } from '../../http/json-schema.ts';
import { sendJson, sendRefusal } from '../../http/send.ts';
import { type Disclosed, defaultStatus, type PublicRoute } from './declare-route.ts';
import type { Ran } from './run-route.ts';

/** Sends the response with the headers that its result asks for. */
export function sendResult(
  route: PublicRoute,
  { apiUrl }: { readonly apiUrl: string },
  request: Request,
  response: Response,
  result: Ran,
): void {
  if (result.replayed) response.setHeader('idempotency-replayed', 'true');
  switch (result.outcome) {
    case 'refused':
      sendRefusal(response, result);
      return;
    case 'stream':
      throw new Error(`${route.operationId} is a stream, which its handler writes`);
    case 'empty':
      sendJson(response, 204, null);
      return;
    case 'done': {
      const { body, status = defaultStatus(route), revision, nextCursor, target } = result;
      if (revision !== undefined && route.etag !== undefined) {
        const tag = formatEtag(revision, route.etag);
        response.setHeader('etag', tag);
        if (route.method === 'GET' && isTagKnown(request.get('if-none-match'), tag)) {
          sendJson(response, 304, null);
          return;
        }
      }
      if (status === 201 && route.recordsAt !== undefined && target !== undefined)
        response.setHeader('location', new URL(`${route.recordsAt}/${target}`, apiUrl).href);
      if (nextCursor !== undefined)
        response.setHeader('link', `<${nextUrl(apiUrl, request, nextCursor)}>; rel="next"`);
      sendJson(response, status, status === 204 ? null : body);
      return;
    }
  }
}

/** The URL of this request with another cursor (RFC 8288). */
function nextUrl(apiUrl: string, request: Request, cursor: string): string {
  const url = new URL(request.originalUrl, apiUrl);
  url.searchParams.set('cursor', cursor);
  return url.href;
}

/**
 * The response of a write to a key without the reading scope: the fields that it always sees, and those that the request sent, as it
 * sent them. A stored value is never returned, because another client may have written it.
 */
export function redact<R>(
  body: R,
  { discloses, scopes, sent }: { discloses: Disclosed | undefined; scopes: readonly Scope[]; sent: unknown },
): R {
  if (discloses === undefined || scopes.includes(discloses.scope)) return body;
  const record = body as Record<string, unknown>;
  const seen = discloses.always.filter((name) => Object.hasOwn(record, name));
  const always = seen.map((name) => [name, record[name]]);
  const own = Object.entries(sent as object)
    .filter(([name]) => Object.hasOwn(record, name) && !seen.includes(name))
    .map(([name, value]) => [name, value === null ? cleared(record[name]) : value]);
  return Object.fromEntries([...always, ...own]) as R;
}

/** The value of a field after `null` was written to it. */
function cleared(stored: unknown): unknown {
  if (Array.isArray(stored)) return [];
  return typeof stored === 'object' && stored !== null ? {} : null;
}

/** The ETag of a record: its revision, and the shape in which this version shows it. */
export function formatEtag(revision: number, record: z.ZodType): string {
  return `"${revision}-${shapeOf(record)}"`;
}

const shapes = new WeakMap<z.ZodType, string>();

/** Changes with the schema of the record. So a client gets a field that a new version adds, also of a record that did not change. */
function shapeOf(record: z.ZodType): string {
  const known = shapes.get(record);
  if (known !== undefined) return known;
  const shape = hash('sha256', JSON.stringify(jsonSchemaOf(record, 'output'))).slice(0, 8);
  shapes.set(record, shape);
  return shape;
}

/** A proxy that compresses marks a tag as weak. */
const WEAK = /^W\//;

/** Whether an If-None-Match header has the tag (RFC 9110, 13.1.2), so that the client has the record already. */
function isTagKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((one) => one.trim().replace(WEAK, ''));
  return tags.includes('*') || tags.includes(tag);
}

/**
 * Reads the revisions in an If-Match header (RFC 9110, 13.1.1). Undefined: there is no header, or `*`, which every
 * existing record fits. A tag that is not a revision fits no record, so it is left out. A weak one counts: behind a proxy that
 * compresses a client has no other, and the revision is the same. Some proxies append the compression: Apache sends `"7-1a2b3c4d-gzip"`.
 */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const digits = /^"(\d{1,15})(?:-[\da-f]{8})?(?:--?(?:gzip|br|zstd))?"$/.exec(
      tag.trim().replace(WEAK, ''),
    )?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}
