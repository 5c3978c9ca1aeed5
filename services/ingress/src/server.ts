import {
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CONTENT_TYPE, problemBody } from '@sluice/contract/problem';
import { newId } from '@sluice/credentials/ids';
import { createTimedServer } from '@sluice/runtime/http-server';
import type { Express } from 'express';

/**
 * What a request that nobody reads any more, such as one that is too large, still takes in before its connection is no
 * longer read from; a read more at most. Node 22 and later would take 64 KiB. Bytes.
 */
const HIGH_WATER_MARK = 16 * 1024;

/** An HTTP server whose requests and responses are those of an Express application. */
export function createHttpServer(app: Express, listener: RequestListener = app): Server {
  const server = createTimedServer(listener, { ...expressPrototypes(app), highWaterMark: HIGH_WATER_MARK });
  server.on('clientError', answerClientError);
  return server;
}

/**
 * Express gives every request and response its own prototype with Object.setPrototypeOf, which costs more than all
 * else it does: V8 drops what it has learnt of the object (expressjs/express#5998). Objects that are born with that
 * prototype are left alone. They must be born of classes: V8 then knows beforehand how many fields Node will give them.
 */
function expressPrototypes(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  app.request = asPrototype(Request.prototype, app.request);
  app.response = asPrototype(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse };
}

/** The prototype of a class, with what Express adds to requests (or responses) above it. */
function asPrototype<Added extends object>(prototype: object, added: Added): Added {
  return Object.setPrototypeOf(prototype, added) as Added;
}

const CLIENT_ERRORS: Readonly<Record<string, { status: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'The request headers are too large. Send fewer.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    detail: 'The request took too long to arrive. Send it faster.',
  },
};
const NOT_HTTP = {
  status: '400 Bad Request',
  detail: 'The request is not valid HTTP/1.1. Check the client.',
};

const waiting = new WeakSet<Duplex>();

/** Whatever else comes meanwhile, it is told once. */
function answerAfter(owed: ServerResponse, error: Error, socket: Duplex): void {
  if (waiting.has(socket)) return;
  waiting.add(socket);
  owed.once('close', () => {
    waiting.delete(socket);
    answerClientError(error, socket);
  });
}

/** To a request that came whole before what cannot be read. Node has no public name for it; its own handler asks the same. */
function responseOwed(socket: Duplex & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined {
  const response = socket._httpMessage;
  return response?.req.complete === true && !response.writableFinished ? response : undefined;
}

/** Time to read the answer in. */
const LINGER_MS = 1000;

/** What Node's parser refuses never reaches Express; it is told why in the same form as everything else. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const owed = responseOwed(socket);
  // Else a request that is being accepted would be answered with what is wrong with the bytes behind it.
  if (owed !== undefined) return void answerAfter(owed, error, socket);
  const { status, detail } = CLIENT_ERRORS[error.code ?? ''] ?? NOT_HTTP;
  const requestId = newId('req');
  const title = status.slice(4);
  const problem = {
    ...problemBody('bad_request', detail, requestId),
    title,
    status: Number(status.slice(0, 3)),
  };
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${PROBLEM_CONTENT_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Whoever keeps their own side open would keep the socket, and what was read of the request, for as long as they like.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
