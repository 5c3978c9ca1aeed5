import type { Server, ServerResponse } from 'node:http';

/** While the server closes, connections that have fallen idle are ended this often. */
const IDLE_SWEEP_MS = 50;

/**
 * Takes no new connections, ends the idle ones, and resolves once every request under way is answered.
 * Answers from now on carry Connection: close, so that senders with a connection open go elsewhere.
 */
export function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  return new Promise((resolve) => {
    // A request that was under way is answered with its connection kept alive: that one falls idle later.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
