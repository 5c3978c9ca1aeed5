import { createDropRest } from '@sluice/runtime/http/drop-rest';
import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import type { Request, RequestHandler, Response } from 'express';
import { mayExceed, waitsForContinue } from './announced-body.ts';

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
