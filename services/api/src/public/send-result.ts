import type { Request, Response } from 'express';
import { sendJson, sendRefusal } from '../http/send.ts';
import type { PublicRoute } from './declare-route.ts';
import { formatEtag, isTagKnown } from './etag.ts';
import type { Ran } from './run-route.ts';
import { defaultStatus } from './success-status.ts';

/** Sends the response with the headers that its result asks for. */
export function sendResult(
  route: PublicRoute<never>,
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
