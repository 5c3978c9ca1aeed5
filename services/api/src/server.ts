import type { Server } from 'node:http';
import { newId } from '@sluice/credentials/ids';
import { answerClientErrors } from '@sluice/runtime/http/client-errors';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import type { Express } from 'express';

/** How much of a body Node reads ahead. Node 22 and later default to 64 KiB. Bytes. */
const READ_AHEAD_BYTES = 16 * 1024;

/**
 * A connection whose unsent bytes make no progress for this long is closed, because its client reads nothing. So is a stream: only
 * heartbeats that have left keep it open. Milliseconds.
 */
const UNREAD_MS = 60_000;

/** Creates an HTTP server for an Express application. */
export function createHttpServer(app: Express, unreadMs = UNREAD_MS): Server {
  // The application responds to a missing Host: http/cross-site.ts.
  const server = createTimedServer(app, { requireHostHeader: false, highWaterMark: READ_AHEAD_BYTES });
  server.timeout = unreadMs;
  // Node would send 100 Continue before the request is checked. http/read-body.ts sends it instead.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  answerClientErrors(server, () => newId('req'));
  return server;
}
