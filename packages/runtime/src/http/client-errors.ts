import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CONTENT_TYPE, problemBody } from '@sluice/contract/problem/problem';
import { isEnding, rememberLastResponse } from './last-response.ts';

/** Answers requests that Node's parser rejects, in the same form as other errors. They never reach a `request` listener. */
export function answerClientErrors(server: Server, newRequestId: () => string): void {
  server.on('clientError', (error, socket) => answerClientError(error, socket, newRequestId));
}

const CLIENT_ERRORS: Readonly<Record<string, { status: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'The URL and the headers are too large together. Shorten the URL, or send fewer headers.',
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

/** Answers once, even if more errors follow. */
function answerAfter(owed: ServerResponse, socket: Duplex, answer: () => void): void {
  if (waiting.has(socket)) return;
  waiting.add(socket);
  owed.once('close', () => {
    waiting.delete(socket);
    answer();
  });
}

/**
 * Finds the response to a request that came whole before the unreadable bytes. Node has no public name for it, and its own
 * handler does the same. Until that response has closed, responses to later requests may wait for their turn.
 */
function responseOwed(socket: Duplex & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined {
  const response = socket._httpMessage;
  return response?.req.complete === true ? response : undefined;
}

/** The time in which the sender can read the response. */
const LINGER_MS = 1000;

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, newRequestId: () => string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The last response is out. Its linger ends the connection, and a second response would contradict it.
  if (isEnding(socket)) return;
  const owed = responseOwed(socket);
  // Without this, a request under way would get the error of the bytes behind it.
  if (owed !== undefined) {
    answerAfter(owed, socket, () => answerClientError(error, socket, newRequestId));
    return;
  }
  const { status, detail } = CLIENT_ERRORS[error.code ?? ''] ?? NOT_HTTP;
  const requestId = newRequestId();
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
  rememberLastResponse(socket);
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that keeps its side open would otherwise keep the socket, and the bytes read so far, for any time.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
