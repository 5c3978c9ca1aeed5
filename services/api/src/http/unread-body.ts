import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import { linger } from '@sluice/runtime/http/linger';
import type { Request, RequestHandler, Response } from 'express';
import { mayExceed, waitsForContinue } from './announced-body.ts';

/** Node reads this much behind an answer, so that the connection can be used again. Bytes. */
const READ_BEHIND_BYTES = 16 * 1024;

/**
 * Ends a connection whose request was answered before its body came in: Node would read such a body to its end, however
 * long it is. The answer carries Connection: close and reaches the sender first. A short body is read, and its connection goes on.
 */
export const endBehindUnreadBody: RequestHandler = (request, response, next) => {
  if (mayExceed(request, READ_BEHIND_BYTES) || waitsForContinue(request)) lingerAtEnd(request, response);
  next();
};

/** Looks at the end of the answer whether the body has come in by then. */
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
    // The head of a file that is being sent went out without Connection: close.
    response.once('finish', () => socket.destroySoon());
    linger(request, () => response.end());
    return response;
  };
  response.end = endLate as Response['end'];
}
