import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** Callbacks per connection. One listener serves all of its pipelined responses. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once a response has ended or its connection has closed. A pipelined response behind an unfinished one has
 * no connection yet, and never emits `close` when the connection dies (seen on Node 20.20).
 */
export function onGone({ socket }: Request, response: Response, gone: () => void): void {
  const callbacks = waiting.get(socket) ?? listen(socket);
  const once = () => {
    if (callbacks.delete(once)) gone();
  };
  callbacks.add(once);
  response.once('close', once);
}

function listen(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.once('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}

/** Whether the response can no longer reach the client. */
export function isGone({ socket }: Request, response: Response): boolean {
  return response.destroyed || socket.destroyed;
}
