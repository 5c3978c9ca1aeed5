import { newId } from '@sluice/credentials/ids';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { ContendedError } from '@sluice/leads/contention';
import { UnconfirmedChangeError } from '@sluice/management/unconfirmed-change';
import { isMongoAway } from '@sluice/store/mongo-away';
import express, { type ErrorRequestHandler, type Express, type Response, type Router } from 'express';
import { securityHeaders } from './http/headers.ts';
import { hasKnownCaller } from './http/known-caller.ts';
import { requireHost } from './http/require-host.ts';
import { type Refusal, refuse } from './http/result.ts';
import { refuseCrossSite } from './http/same-origin.ts';
import { requestIdOf, sendRefusal } from './http/send.ts';
import { endBehindUnreadBody } from './http/unread-body.ts';

/** A finished request, for metrics and logs. */
export interface FinishedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route as declared, such as `/sources/:sourceId`, never with real ids. */
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly durationMs: number;
  /** Whether the request had a session or a live API key. */
  readonly knownCaller: boolean;
}

export interface AppDeps {
  readonly trustProxy: boolean | number | string[];
  /** Adds the routes of the dashboard's API. */
  readonly dashboardApi: (router: Router) => void;
  /** Adds all other routes: public API, API documentation, pages. */
  readonly otherRoutes: (router: Router) => void;
  readonly onAnswer: (finished: FinishedRequest) => void;
  readonly onError: (error: unknown, requestId: string) => void;
}

const NOT_FOUND = refuse('not_found', 'Nothing exists at this path. The API is described at /docs.');
const REDIS_AWAY = unavailable('Redis');
const MONGO_AWAY = unavailable('MongoDB');
const INTERNAL = refuse(
  'internal_error',
  'An internal error occurred. Try again. If it happens again, report the request id.',
);

/** Creates the Express application: the public API, the dashboard's API, and the dashboard itself. */
export function createApp({ trustProxy, dashboardApi, otherRoutes, onAnswer, onError }: AppDeps): Express {
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
  // Every request of the public API would be compared with every route of the dashboard.
  app.use((request, response, next) =>
    request.path.startsWith(DASHBOARD_API) ? api(request, response, next) : next(),
  );
  const router = express.Router();
  otherRoutes(router);
  app.use(router);
  app.use((_request, response) => sendRefusal(response, NOT_FOUND));

  const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error' || refusal.code === 'conflict')
      onError(error, requestIdOf(response));
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
    knownCaller: hasKnownCaller(response),
  };
}

function unavailable(store: string): Refusal {
  const detail = `${store} is not responding. Try again in a few seconds. If it persists, check ${store} on the server.`;
  return refuse('unavailable', detail, { retryAfterSeconds: 2 });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof UnconfirmedChangeError)
    return refuse(
      'unavailable',
      'The change may or may not have taken effect. Check the current state, and repeat the change if needed.',
      { retryAfterSeconds: 15 },
    );
  if (error instanceof ContendedError)
    return refuse('unavailable', 'Too many requests change this lead at once. Try again in a few seconds.', {
      retryAfterSeconds: 2,
    });
  if (isMongoAway(error)) return MONGO_AWAY;
  if (isRedisAway(error)) return REDIS_AWAY;
  // Express's router throws this for a path whose percent-encoding is wrong.
  if (error instanceof URIError || (error as { status?: unknown } | null)?.status === 400)
    return refuse('bad_request', 'The URL of the request cannot be read. Check its percent-encoding.');
  return INTERNAL;
}

/** ioredis has no common class for these. */
function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    /^(Command timed out|Connection is closed|Stream isn't writeable|Connection is in|LOADING|not connected to Redis)/.test(
      error.message,
    )
  );
}
