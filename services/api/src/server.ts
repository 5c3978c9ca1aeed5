import type { Server } from 'node:http';
import { newId } from '@sluice/credentials/ids';
import { answerClientErrors } from '@sluice/runtime/client-errors';
import { createTimedServer } from '@sluice/runtime/http-server';
import type { Express } from 'express';

/** An HTTP server for an Express application. */
export function createHttpServer(app: Express): Server {
  const server = createTimedServer(app);
  answerClientErrors(server, () => newId('req'));
  return server;
}
