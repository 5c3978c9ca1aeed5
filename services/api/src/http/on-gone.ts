import type { Request, Response } from 'express';

/**
 * Calls back once a response has ended or its connection has closed. A response that is pipelined behind an unfinished one
 * has no connection yet, and never emits `close` when the connection dies (seen on Node 20.20).
 */
export function onGone(request: Request, response: Response, gone: () => void): void {
  const once = () => {
    response.off('close', once);
    request.socket.off('close', once);
    gone();
  };
  response.on('close', once);
  request.socket.on('close', once);
}

/** Whether nobody can read the response any more. */
export function isGone(request: Request, response: Response): boolean {
  return response.destroyed || request.socket.destroyed;
}
