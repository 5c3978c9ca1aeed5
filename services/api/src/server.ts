import type { Server } from 'node:http';
import { newId } from '@sluice/credentials/ids';
import { answerClientErrors } from '@sluice/runtime/http/client-errors';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import type { Express } from 'express';

/** What Node reads of a body ahead of whoever reads it: Node 22 and later would take 64 KiB. Bytes. */
const READ_AHEAD_BYTES = 16 * 1024;

/** An HTTP server for an Express application. */
export function createHttpServer(app: Express): Server {
  // The application answers a missing Host: http/require-host.ts.
  const server = createTimedServer(app, { requireHostHeader: false, highWaterMark: READ_AHEAD_BYTES });
  // Node would ask for the body before anybody has looked at the request: http/read-body.ts asks for it.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  answerClientErrors(server, () => newId('req'));
  return server;
}
