import type { IncomingMessage, Server, ServerResponse } from 'node:http';

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
export function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (expecting.delete(request)) response.writeContinue();
}
