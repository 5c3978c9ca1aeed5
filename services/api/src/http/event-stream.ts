import type { Request, Response } from 'express';

/**
 * Limit of sent but unread bytes, for clients that stopped reading, such as a sleeping machine.
 */
export const UNREAD_BYTES = 8 * 1024 * 1024;

/** Begins a response of server-sent events. */
export function beginEvents(response: Response): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Keeps nginx from buffering the events.
    'x-accel-buffering': 'no',
  });
  response.write('retry: 2000\n\n');
}

/** Writes events, and closes the connection of a client that reads too little. */
export function writeEvent(response: Response, text: string): void {
  // The stream may have ended during the access check. Writing then would throw an error that nothing catches.
  if (response.writableEnded || response.destroyed) return;
  response.write(text);
  // Unread data would accumulate in memory. The client reconnects when it reads again, and resumes where it was.
  if (response.writableLength > UNREAD_BYTES) response.destroy();
}

/** One event as text. `id` is what a client sends as Last-Event-ID. */
export function eventText(event: string, data: object, id?: string): string {
  const name = id === undefined ? '' : `id: ${id}\n`;
  return `${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Whether the response can no longer reach the client. A pipelined response behind an unfinished one has no connection yet, and never
 * emits `close` when the connection dies (seen on Node 20.20).
 */
export function isGone({ socket }: Request, response: Response): boolean {
  return response.destroyed || socket.destroyed;
}
