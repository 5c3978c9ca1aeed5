import type { IncomingMessage, ServerResponse } from 'node:http';
import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import type { Send } from '../answer/send.ts';
import { dropRest } from './drop-rest.ts';

/** Responds to a request that Node's HTTP server has read. */
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
    dropRest(response.req, () => response.end());
  };
}

/**
 * Sends the headers and a string as one piece. `end(payload)` would add an empty piece, and Node first copies two pieces
 * into new memory (bench/speed-tried.md).
 */
function endInOnePiece(response: ServerResponse, payload: string): void {
  const { socket } = response;
  // There is no socket while an earlier request of the connection has no response. A slow client makes a longer queue.
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
