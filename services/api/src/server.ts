import type { Server } from 'node:http';
import { createTimedServer } from '@sluice/runtime/http-server';
import type { Express } from 'express';

/** An HTTP server for an Express application. */
export function createHttpServer(app: Express): Server {
  return createTimedServer(app);
}
