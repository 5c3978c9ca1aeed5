import { CONVERSATIONS_ROUTE, WEBHOOK_ROUTE } from '@sluice/contract/delivery/webhook-path';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import { newId } from '@sluice/credentials/ids';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { problemPage } from '../answer/problem-page.ts';
import { apiIsElsewhere, REFUSALS, type Refusal } from '../answer/refusal.ts';
import { sendRefusal } from '../answer/send-reply.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import { hasTooManyLines, refuseLines } from './header-lines.ts';
import { nodeIncoming, sendThroughNode } from './node-incoming.ts';
import type { AddressOf } from './sender-address.ts';

export interface AppDeps {
  readonly exchange: Exchange;
  readonly addressOf: AddressOf;
  /** API_URL, for clients that confuse the two addresses. */
  readonly apiUrl: string | undefined;
  readonly onError: ExchangeDeps['onError'];
  /** One call for each request. */
  readonly onRead: (reader: 'node') => void;
  /** One call for each response to a request that is not to the endpoint of a source. */
  readonly onStray: (code: ProblemCode) => void;
}

/** The webhook host as an Express application: a route for each kind of source, and problem details for everything else. */
export function createApp({ exchange, addressOf, apiUrl, onError, onRead, onStray }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  const refuse = (response: Response, refusal: Refusal, requestId = newId('req')) => {
    onStray(refusal.code);
    sendRefusal(sendThroughNode(response), requestId, refusal);
  };
  app.use((request, response, next) => {
    onRead('node');
    if (hasTooManyLines(request)) return refuseLines(response);
    // RFC 9112, 3.2. HTTP/1.0 has no Host.
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
    refuse(response, REFUSALS.host_missing);
  });
  app.all(WEBHOOK_ROUTE, (request: Request<{ sourceId: string }>, response: Response) =>
    exchange(nodeIncoming(request, response, addressOf), request.params.sourceId, 'events'),
  );
  app.all(CONVERSATIONS_ROUTE, (request: Request<{ channelId: string }>, response: Response) =>
    exchange(nodeIncoming(request, response, addressOf), request.params.channelId, 'channel'),
  );
  // `type` of a problem is a path, so it is resolved against this host too.
  app.get('/problems/:code', (request: Request<{ code: string }>, response: Response, next) => {
    const page = problemPage(request.params.code);
    if (page === undefined) return next();
    response.set({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, max-age=300' });
    response.set('content-security-policy', "default-src 'none'");
    response.end(page);
  });

  app.use('/api/public', (_request, response) => refuse(response, apiIsElsewhere(apiUrl)));
  app.use((_request: Request, response: Response) => refuse(response, REFUSALS.not_found));

  const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    // Express's router throws this if the percent-encoding of a path is wrong.
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
