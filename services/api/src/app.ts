import { newId } from '@sluice/credentials/ids';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
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

/** One answered request, for metrics and logs. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** As it is declared, such as `/sources/:sourceId`: never with what stands in its place. */
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly durationMs: number;
  /** It was made with a session or a live API key. */
  readonly knownCaller: boolean;
}

export interface AppDeps {
  readonly trustProxy: boolean | number | string[];
  /** Adds the routes of the dashboard's API. */
  readonly dashboardApi: (router: Router) => void;
  /** Adds everything else: public API, documents, pages. */
  readonly others: (router: Router) => void;
  readonly onAnswer: (answered: Answered) => void;
  readonly onError: (error: unknown, requestId: string) => void;
}

const NOT_FOUND = refuse('not_found', 'There is nothing at this path. The API is described at /docs.');
const REDIS_AWAY = unavailable('Redis');
const MONGO_AWAY = unavailable('MongoDB');
const INTERNAL = refuse(
  'internal_error',
  'Something went wrong here. Try again; if it happens again, report the request id.',
);

/** The public API, what the dashboard calls, and the dashboard itself, as an Express application. */
export function createApp({ trustProxy, dashboardApi, others, onAnswer, onError }: AppDeps): Express {
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
  others(router);
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

/** Of what is answered without a route of its own, such as the files of the dashboard. */
export const NO_ROUTE = 'none';

function observe(onAnswer: AppDeps['onAnswer']): express.RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    response.locals.requestId = requestId;
    response.setHeader('x-request-id', requestId);
    response.on('finish', () =>
      onAnswer({ requestId, ...answerOf(request, response), durationMs: performance.now() - startedAt }),
    );
    next();
  };
}

function answerOf(request: express.Request, response: Response) {
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
  const detail = `${store} does not answer just now. Try again in a few seconds; if it lasts, it must be looked after where it runs.`;
  return refuse('unavailable', detail, { retryAfterSeconds: 2 });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof UnconfirmedChangeError)
    return refuse(
      'unavailable',
      'It is not known whether the change was made. Look again, and repeat it if need be.',
      { retryAfterSeconds: 15 },
    );
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
