import {
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { newId } from '@sluice/credentials/ids';
import { answerClientErrors } from '@sluice/runtime/http/client-errors';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import type { Express } from 'express';

/**
 * What a request that nobody reads any more, such as one that is too large, still takes in before its connection is no
 * longer read from; a read more at most. Node 22 and later would take 64 KiB. Bytes.
 */
const HIGH_WATER_MARK = 16 * 1024;

/** An HTTP server whose requests and responses are those of an Express application. */
export function createHttpServer(app: Express, listener: RequestListener = app): Server {
  const server = createTimedServer(listener, {
    ...expressPrototypes(app),
    highWaterMark: HIGH_WATER_MARK,
    // The application answers a missing Host: Node's 400 has no body.
    requireHostHeader: false,
  });
  answerClientErrors(server, () => newId('req'));
  // A sender that ends its own side behind a request still reads: without this Node's server, which has had the option for
  // long but documents it nowhere, ends the connection while the answer is owed.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Express gives every request and response its own prototype with Object.setPrototypeOf, which costs more than all
 * else it does: V8 drops what it has learnt of the object (expressjs/express#5998). Objects that are born with that
 * prototype are left alone. They must be born of classes: V8 then knows beforehand how many fields Node will give them.
 */
function expressPrototypes(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  app.request = asPrototype(Request.prototype, app.request);
  app.response = asPrototype(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse };
}

/** The prototype of a class, with what Express adds to requests (or responses) above it. */
function asPrototype<Added extends object>(prototype: object, added: Added): Added {
  return Object.setPrototypeOf(prototype, added) as Added;
}
