import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** What is to be called when a connection closes: one listener for all of its pipelined responses. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once a response has ended or its connection has closed. A response that is pipelined behind an unfinished one
 * has no connection yet, and never emits `close` when the connection dies (seen on Node 20.20).
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

/** Whether nobody can read the response any more. */
export function isGone({ socket }: Request, response: Response): boolean {
  return response.destroyed || socket.destroyed;
}
