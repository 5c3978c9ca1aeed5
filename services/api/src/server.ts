import { createServer, type Server } from 'node:http';
import type { Express } from 'express';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time-outs of the usual load balancers (60 s), so that they, not we, close first. */
const KEEP_ALIVE_MS = 65_000;

/** An HTTP server for an Express application. */
export function createHttpServer(app: Express): Server {
  const timeouts = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  return createServer(timeouts, app);
}

/** Takes no new connections, and resolves once every request under way is answered. */
export function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close');
  });
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
