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
