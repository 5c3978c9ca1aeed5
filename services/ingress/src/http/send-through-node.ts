import type { IncomingMessage, ServerResponse } from 'node:http';
import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import { linger } from '@sluice/runtime/http/linger';
import type { Send } from '../answer/send.ts';

/** Answers a request that Node's HTTP server has read. */
export function sendThroughNode(response: ServerResponse): Send {
  return (status, headers, payload) => {
    if (response.headersSent || response.destroyed) return;
    const bodyStillComing = !response.req.complete && hasBody(response.req);
    if (bodyStillComing) {
      headers.connection = 'close';
      rememberLastResponse(response.req.socket);
    }
    response.writeHead(status, headers);
    if (!bodyStillComing) return endInOnePiece(response, payload);
    response.write(payload);
    linger(response.req, () => response.end());
  };
}

/**
 * As a string the body goes out in one piece with the headers. `end(payload)` would add an empty piece, and two are
 * gathered in memory of their own first (bench/speed-tried.md).
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
