import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createDropRest } from '@sluice/runtime/http/drop-rest';
import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import type { Send } from '../answer/reply.ts';
import type { Incoming } from '../receive/incoming.ts';
import { readRawBody } from './raw-body.ts';
import type { AddressOf } from './sender-address.ts';

/** A request that Node's HTTP server has read. */
export function nodeIncoming(
  request: IncomingMessage,
  response: ServerResponse,
  addressOf: AddressOf,
): Incoming {
  return {
    method: request.method as string,
    headers: request.headers,
    isRepeated: (name) => isRepeated(request.rawHeaders, name),
    ip: () => addressOf(request),
    awaitsContinue: () => awaitsContinue(request),
    readBody: (room) => readRawBody(request, room, () => continueIfExpected(request, response)),
    send: sendThroughNode(response),
  };
}

/** `rawHeaders` has a name and a value for each line. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) lines += 1;
  return lines > 1;
}

const expecting = new WeakSet<IncomingMessage>();

/**
 * Sends `100 Continue` to a sender that expects it only once the body is read. A rejection by the head is then the only response:
 * the sender keeps a body that is too large or no JSON. Node would send 100 first, whatever follows.
 */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expecting.add(request);
    server.emit('request', request, response);
  });
}

/** Whether the sender keeps its body until it gets `100 Continue`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return expecting.has(request);
}

/** Lets the sender begin its body, if it waits for that. */
function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (expecting.delete(request)) response.writeContinue();
}

/** The rest of the bodies behind early responses. One for the process, which has one rate. */
const dropRest = createDropRest({
  bytes: 8 * 1024 * 1024,
  // 7.5 MB at 1 Mbit/s.
  totalMs: 60_000,
  idleMs: 5_000,
  bytesPerSecond: 32 * 1024 * 1024,
});

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
