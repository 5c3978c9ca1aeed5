import type { UnavailableReason } from '@sluice/contract/problem/action-refused';
import { newId } from '@sluice/credentials/ids';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { isRedisUnable } from '@sluice/redis/connection/redis-away';
import express, { type ErrorRequestHandler, type Express, type Response, type Router } from 'express';
import { refuseCrossSite, requireHost, securityHeaders } from './http/cross-site.ts';
import { endBehindUnreadBody } from './http/read-body.ts';
import { refusalOf } from './http/refusal-of.ts';
import { refuse } from './http/result.ts';
import { requestIdOf, sendRefusal } from './http/send.ts';
import { knownCallerOf } from './http/signed-in.ts';

/** A finished request, for metrics and logs. */
export interface FinishedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route as declared, such as `/sources/:sourceId`, never with real ids. */
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  /** Why it got 503; undefined if it did not. */
  readonly unavailable: UnavailableReason | undefined;
  readonly durationMs: number;
  /** The account whose session or live API key the request had; undefined without one. */
  readonly knownCaller: string | undefined;
}

export interface AppDeps {
  readonly trustProxy: boolean | number | string[];
  /** Adds the routes of the dashboard's API. */
  readonly dashboardApi: (router: Router) => void;
  /** Adds all other routes: public API, API documentation, pages. */
  readonly otherRoutes: (router: Router) => void;
  readonly onAnswer: (finished: FinishedRequest) => void;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Redis responded that it cannot execute a command now. The response omits the reason. */
  readonly onRedisUnable: (reason: string, requestId: string) => void;
}

const NOT_FOUND = refuse('not_found', 'Nothing exists at this path. The API is described at /docs.');

/** Creates the Express application: the public API, the dashboard's API, and the dashboard itself. */
export function createApp(deps: AppDeps): Express {
  const { trustProxy, dashboardApi, otherRoutes, onAnswer, onError, onRedisUnable } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);
  app.set('query parser', 'simple');
  app.use(endBehindUnreadBody, observe(onAnswer), securityHeaders(), requireHost);

  app.use('/api', (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  app.use(DASHBOARD_API, refuseCrossSite);
  const api = express.Router();
  dashboardApi(api);
  app.use(api);
  const router = express.Router();
  otherRoutes(router);
  app.use(router);
  app.use((_request, response) => sendRefusal(response, NOT_FOUND));

  const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error' || refusal.code === 'conflict')
      onError(error, requestIdOf(response));
    else if (isRedisUnable(error)) onRedisUnable(error.message, requestIdOf(response));
    if (response.headersSent) response.destroy();
    else sendRefusal(response, refusal);
  };
  app.use(answerError);
  return app;
}

/** The route label of responses without a route, such as the files of the dashboard. */
export const NO_ROUTE = 'none';

function observe(onAnswer: AppDeps['onAnswer']): express.RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    response.locals.requestId = requestId;
    response.setHeader('x-request-id', requestId);
    response.on('finish', () =>
      onAnswer({
        requestId,
        ...finishedRequestOf(request, response),
        durationMs: performance.now() - startedAt,
      }),
    );
    next();
  };
}

function finishedRequestOf(request: express.Request, response: Response) {
  const route = (request.route as { path?: string } | undefined)?.path ?? NO_ROUTE;
  return {
    method: request.method,
    route,
    status: response.statusCode,
    code: response.locals.code as string | undefined,
    unavailable: response.locals.unavailable as UnavailableReason | undefined,
    knownCaller: knownCallerOf(response),
  };
}
