import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ProblemCode } from '@sluice/contract/problem';
import { newId } from '@sluice/credentials/ids';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import { sendRefusal } from '../answer/send-reply.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import { hasTooManyLines, refuseLines } from './header-lines.ts';
import { nodeIncoming } from './node-incoming.ts';
import type { AddressOf } from './plain/plain-incoming.ts';
import { sendThroughNode } from './send-through-node.ts';

/** How many proxies, or which, are believed about the sender's address (Express's `trust proxy`). */
export type TrustProxy = boolean | number | string | string[];

export interface AppDeps {
  readonly exchange: Exchange;
  readonly trustProxy: TrustProxy;
  readonly onError: ExchangeDeps['onError'];
  /** Told of each answer to a request that is not to the endpoint of a source. */
  readonly onStray: (code: ProblemCode) => void;
}

const WEBHOOK_PATH = '/api/v1/events/webhook/';

/** The address of whoever sent a request, by Express's own rule: behind the proxies that `trust proxy` believes. */
export function addressAsExpress(app: Express): AddressOf {
  return ({ headers, socket }) => Reflect.get(app.request, 'ip', { app, headers, socket });
}

/** The webhook host as an Express application: one route, and problem details for everything else. */
export function createApp({ exchange, trustProxy, onError, onStray }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);

  const refuse = (response: Response, refusal: Refusal, requestId = newId('req')) => {
    onStray(refusal.code);
    sendRefusal(sendThroughNode(response), requestId, refusal);
  };
  app.use((request, response, next) => {
    // RFC 9112, 3.2. HTTP/1.0 has no Host.
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
    refuse(response, REFUSALS.host_missing);
  });
  app.all(`${WEBHOOK_PATH}:sourceId`, (request: Request<{ sourceId: string }>, response: Response) =>
    exchange(nodeIncoming(request as Request, response), request.params.sourceId),
  );

  app.use((_request: Request, response: Response) => refuse(response, REFUSALS.not_found));

  const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    // Express's router throws this for a path whose percent-encoding is wrong.
    if (error instanceof URIError || (error as { status?: unknown })?.status === 400) {
      return refuse(response, REFUSALS.bad_request);
    }
    const requestId = newId('req');
    onError(error, requestId);
    refuse(response, REFUSALS.internal_error, requestId);
  };
  app.use(answerError);
  return app;
}

/**
 * Of what Node's HTTP server reads (see plain/ for the rest), the one hot route is recognised before Express, whose router
 * costs as much as verifying the signature does (bench/speed-tried.md); everything else, and every less plain way to write
 * the same path, goes through Express to the same exchange. Requests must be born with Express's prototypes (server.ts), as the exchange asks for their `ip`.
 */
export function createListener(app: Express, exchange: Exchange): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    if (hasTooManyLines(request)) return refuseLines(response);
    const sourceId = request.headers.host === undefined ? undefined : plainSourceId(request.url as string);
    if (sourceId === undefined) app(request, response);
    else void exchange(nodeIncoming(request as Request, response), sourceId);
  };
}

const PLAIN_ID = /^[A-Za-z0-9_-]+$/;

function plainSourceId(url: string): string | undefined {
  if (!url.startsWith(WEBHOOK_PATH)) return undefined;
  const sourceId = url.slice(WEBHOOK_PATH.length);
  return PLAIN_ID.test(sourceId) ? sourceId : undefined;
}
