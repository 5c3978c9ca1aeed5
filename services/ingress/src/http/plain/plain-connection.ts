import type { Socket } from 'node:net';
import { type PlainRequest, readPlainRequest } from './read-plain-request.ts';

/** How long a connection may be silent. Milliseconds. */
export interface PlainTimes {
  /** The timeout before a request, or before its body. */
  readonly requestMs: number;
  /** The timeout after a response. */
  readonly idleMs: number;
}

export interface PlainConnectionDeps {
  readonly times: PlainTimes;
  /** `isOpen` is false once Node must read each request. */
  readonly door: { readonly isOpen: boolean };
  /** Called for each complete request. It must respond with `connection.answer`. */
  readonly begin: (request: PlainRequest, connection: PlainConnection) => void;
  /** Passes the connection to Node's HTTP server permanently. */
  readonly giveToNode: (socket: Socket) => void;
  /** Called after a timeout without a request, or when the sender ends in the middle of one. Codes are those of Node's parser. */
  readonly onClientError: (
    code: 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE',
    socket: Socket,
  ) => void;
}

/** A connection whose requests have been plain so far. */
export interface PlainConnection {
  readonly socket: Socket;
  /** Writes the whole response to the current request. */
  answer(text: string, encoding: 'latin1' | 'utf8'): void;
  /** Closes it unless a response is due. */
  closeIfIdle(): void;
}

const CR = 0x0d;
const LF = 0x0a;

/**
 * Reads plain requests from a connection, one after the other. At the first bytes that are not a plain request, Node's HTTP
 * server gets the connection, with these bytes unread.
 */
export function openPlainConnection(socket: Socket, deps: PlainConnectionDeps): PlainConnection {
  const { times, door, begin, giveToNode, onClientError } = deps;
  /** The head of a request whose body has not arrived. */
  let begun: Buffer | undefined;
  let answering = false;
  /** The bytes that arrived before the response to the request before them. */
  let early: Buffer | undefined;
  let ended = false;
  let patienceMs = 0;

  const connection: PlainConnection = {
    socket,
    answer(text, encoding) {
      answering = false;
      if (socket.destroyed) return;
      socket.write(text, encoding);
      if (early !== undefined) handOver(early);
      else if (ended) socket.end();
    },
    closeIfIdle() {
      if (!answering && wasHeard()) socket.destroy();
    },
  };

  function onData(chunk: Buffer): void {
    if (wasHeard() && isEmptyLine(chunk)) return;
    if (answering) keepForLater(chunk);
    else readOn(begun === undefined ? chunk : Buffer.concat([begun, chunk]));
  }

  function readOn(bytes: Buffer): void {
    // If a sender does not read its responses, Node's server applies backpressure.
    const read = door.isOpen && socket.writableLength === 0 ? readPlainRequest(bytes) : 'not_plain';
    if (read === 'no_body_yet') {
      begun = bytes;
      waitFor(times.requestMs);
    } else if (typeof read === 'string') handOver(bytes);
    else {
      begun = undefined;
      answering = true;
      waitFor(times.idleMs);
      begin(read, connection);
    }
  }

  function keepForLater(bytes: Buffer): void {
    early = early === undefined ? bytes : Buffer.concat([early, bytes]);
    socket.pause();
  }

  function waitFor(ms: number): void {
    if (ms !== patienceMs) socket.setTimeout(ms);
    patienceMs = ms;
  }

  /** Returns whether a request has arrived and none is incomplete. */
  const wasHeard = (): boolean => patienceMs === times.idleMs;

  function onEnd(): void {
    ended = true;
    if (begun !== undefined) refuse('HPE_INVALID_EOF_STATE');
    else if (!answering) socket.end();
  }

  function onTimeout(): void {
    if (answering) return;
    if (begun !== undefined) handOver(begun);
    else if (wasHeard()) socket.destroy();
    else refuse('ERR_HTTP_REQUEST_TIMEOUT');
  }

  function letGo(): void {
    socket.off('data', onData).off('end', onEnd).off('timeout', onTimeout);
    socket.setTimeout(0);
  }

  function handOver(bytes: Buffer): void {
    letGo();
    socket.off('error', ignore);
    // Paused, because otherwise the bytes would be emitted before Node listens.
    socket.pause().unshift(bytes);
    giveToNode(socket);
    // With a listener for data, Node's parser reads through the stream, which stops when Node pauses it. Without one, the
    // parser would read from the handle and not stop, because this stream has started the handle.
    socket.on('data', ignore);
    socket.resume();
  }

  function refuse(code: Parameters<PlainConnectionDeps['onClientError']>[0]): void {
    letGo();
    socket.resume();
    onClientError(code, socket);
  }

  waitFor(times.requestMs);
  socket.on('data', onData).on('end', onEnd).on('timeout', onTimeout).on('error', ignore);
  return connection;
}

/**
 * Some senders write an empty line behind a body. It has no meaning (RFC 9112, 2.2). If Node got it as the first bytes of
 * the connection, the next request would have only the timeout of a new connection.
 */
const isEmptyLine = (chunk: Buffer): boolean => chunk.length === 2 && chunk[0] === CR && chunk[1] === LF;

/** Ignores an error of a socket. `close` follows it and reports that the sender has gone. */
function ignore(): void {}
