import type { Socket } from 'node:net';
import { type PlainRequest, readPlainRequest } from './read-plain-request.ts';

/** For how long nothing may come or go over a connection. Milliseconds. */
export interface PlainTimes {
  /** Of one whose request, or the body of it, has not come. */
  readonly requestMs: number;
  /** Of one whose last request was answered. */
  readonly idleMs: number;
}

export interface PlainConnectionDeps {
  readonly times: PlainTimes;
  /** false: from now on each request is Node's. */
  readonly isOpen: () => boolean;
  /** A request has come whole, and `connection` is owed its answer. */
  readonly begin: (request: PlainRequest, connection: PlainConnection) => void;
  /** Node's HTTP server takes the connection over, for good. */
  readonly giveToNode: (socket: Socket) => void;
  /** No request came in all its time, or half of one before its sender ended it: as Node's parser names it. */
  readonly onClientError: (
    code: 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE',
    socket: Socket,
  ) => void;
}

/** A connection whose requests have been plain so far. */
export interface PlainConnection {
  readonly socket: Socket;
  /** Writes the whole answer to the request that is under way. */
  answer(text: string, encoding: 'latin1' | 'utf8'): void;
  /** Ends it if its last request has been answered. */
  closeIfIdle(): void;
}

const CR = 0x0d;
const LF = 0x0a;

/**
 * Reads plain requests from a connection, one after the other, until something comes that is not one: that and all that
 * follows is for Node's HTTP server, which gets the bytes as if nobody had read them.
 */
export function openPlainConnection(socket: Socket, deps: PlainConnectionDeps): PlainConnection {
  const { times, isOpen, begin, giveToNode, onClientError } = deps;
  /** The head of a request whose body has not come. */
  let begun: Buffer | undefined;
  let answering = false;
  /** What came while an answer was owed. */
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
    // Where a sender does not read its answers, Node sees to it that they do not pile up.
    const read = isOpen() && socket.writableLength === 0 ? readPlainRequest(bytes) : 'not_plain';
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

  /** A request came, and none is half there. */
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
    // Paused, or what is put back would be told to nobody.
    socket.pause().unshift(bytes);
    giveToNode(socket);
    // A listener has Node's parser read through the stream, which stops where Node stops it. From the handle, as it does
    // otherwise, it would read on: the stream that we have read from starts the handle again.
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
 * Some senders write one behind a body. It is nothing (RFC 9112, 2.2), but Node, given it as the first that came, would
 * give the next request only the time that a new connection has.
 */
const isEmptyLine = (chunk: Buffer): boolean => chunk.length === 2 && chunk[0] === CR && chunk[1] === LF;

/** An error: the sender has gone, which `close` tells too. */
function ignore(): void {}
