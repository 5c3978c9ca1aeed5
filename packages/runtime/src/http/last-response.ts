import type { Duplex } from 'node:stream';

const ending = new WeakSet<Duplex>();

/**
 * Remembers that a response with `Connection: close` goes out on this connection. Node's parser still emits the requests
 * pipelined behind it. Nothing may answer them: a response that finishes while Node destroys the socket fails an internal
 * assertion, which ends the process (seen on Node 26.10).
 */
export function rememberLastResponse(socket: Duplex): void {
  ending.add(socket);
}

/** Whether the last response of this connection is under way, so that no request may begin on it. */
export function isEnding(socket: Duplex): boolean {
  return ending.has(socket);
}
