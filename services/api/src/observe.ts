import type { UnavailableReason } from '@sluice/contract/problem/action-refused';
import { createLineBudget, type LineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { API_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { type AppDeps, type FinishedRequest, NO_ROUTE } from './app.ts';
import { createWindowCounts } from './http/window-counts.ts';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface ObserverDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export type Observer = Pick<AppDeps, 'onAnswer' | 'onError' | 'onRedisUnable'>;

/** Reports the API's requests: metrics by declared route, and log lines without URLs, bodies or personal data. */
export function createObserver({ logger, metrics }: ObserverDeps): Observer {
  const duration = metrics.histogram({
    ...API_METRICS.http_request_duration_seconds,
    buckets: LATENCY_BUCKETS_S,
  });
  const logUnavailable = createUnavailableLog(logger);
  const logRequest = createRequestLog(logger);
  const unableLines = createLineBudget({ perSecond: 1 });
  return {
    onAnswer(request) {
      const { method, route, status, durationMs } = request;
      duration.observe({ method, route, status }, durationMs / 1000);
      logUnavailable(request);
      logRequest(request);
    },
    onError(error, requestId) {
      logger.error({ event: 'request.error', err: error, request_id: requestId }, 'request failed');
    },
    onRedisUnable(reason, request_id) {
      const written = unableLines.take();
      if (written === undefined) return;
      logger.error(
        { event: 'redis.unable', reason, request_id, ...written },
        'redis cannot execute this now',
      );
    },
  };
}

/** Each reason has a budget, so that one store that is away does not hide another cause. */
function createUnavailableLog(logger: Logger): (request: FinishedRequest) => void {
  const budgets = new Map<UnavailableReason, LineBudget>();
  const budgetOf = (reason: UnavailableReason): LineBudget => {
    const budget = budgets.get(reason) ?? createLineBudget({ perSecond: 1 });
    budgets.set(reason, budget);
    return budget;
  };
  return ({ unavailable: reason, requestId: request_id }) => {
    if (reason === undefined) return;
    const written = budgetOf(reason).take();
    if (written === undefined) return;
    logger.warn({ event: 'request.unavailable', reason, request_id, ...written }, 'request got 503');
  };
}

/** Log lines per second for requests of unknown callers. The metrics count all requests. */
const UNKNOWN_CALLER_LINES_PER_SECOND = 10;

/** Log lines per second for requests with sessions and live keys of one account. Beyond that they share those of unknown callers. */
const ACCOUNT_LINES_PER_SECOND = 50;

/**
 * Writes one line per request. Anyone can send requests without a session or a live key, so these share a line budget.
 * 5xx responses have a separate budget, so that a flood of rejections does not hide them. Level debug writes all lines.
 */
function createRequestLog(logger: Logger): (request: FinishedRequest) => void {
  const newBudget = () => createLineBudget({ perSecond: UNKNOWN_CALLER_LINES_PER_SECOND });
  const [others, failures] = [newBudget(), newBudget()];
  const accounts = createWindowCounts(ACCOUNT_LINES_PER_SECOND, 1000);
  const hasOwnLine = (accountId: string | undefined) =>
    accountId !== undefined && accounts.take(accountId) === 0;
  return (request) => {
    const { knownCaller, route, status } = request;
    // Browsers request dashboard files by the dozen. These have no route.
    if (status < 400 && route === NO_ROUTE) return logger.debug(logFields(request), 'request answered');
    const { level, text } = severityOf(status);
    if (!logger.isLevelEnabled(level)) return;
    const budget = status >= 500 ? failures : others;
    const written = logger.isLevelEnabled('debug') || hasOwnLine(knownCaller) ? {} : budget.take();
    if (written !== undefined) logger[level]({ ...logFields(request), ...written }, text);
  };
}

function severityOf(status: number) {
  if (status >= 500) return { level: 'error', text: 'request failed' } as const;
  if (status >= 400) return { level: 'warn', text: 'request rejected' } as const;
  return { level: 'info', text: 'request answered' } as const;
}

function logFields({ requestId, method, route, status, code, durationMs }: FinishedRequest) {
  const duration_ms = Math.round(durationMs * 10) / 10;
  return { event: 'request.answered', request_id: requestId, method, route, status, code, duration_ms };
}
