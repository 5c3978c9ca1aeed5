import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { type Answered, type AppDeps, NO_ROUTE } from './app.ts';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface ObserverDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the API tells of its work: metrics by route as declared, and log lines without URLs, bodies or people. */
export function createObserver({ logger, metrics }: ObserverDeps): Pick<AppDeps, 'onAnswer' | 'onError'> {
  const duration = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request headers to the end of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS_S,
  });
  const logAnswer = createAnswerLog(logger);
  return {
    onAnswer(answered) {
      const { method, route, status, durationMs } = answered;
      duration.observe({ method, route, status }, durationMs / 1000);
      logAnswer(answered);
    },
    onError(error, requestId) {
      logger.error({ event: 'request.error', err: error, request_id: requestId }, 'request failed');
    },
  };
}

/** Lines a second for requests of unknown callers. The metrics count all requests. */
const UNKNOWN_CALLER_LINES_PER_SECOND = 10;

/**
 * Writes one line per request. Anybody can send requests without a session or a live key, so those have a budget of lines;
 * 5xx responses have their own, so that a flood of rejections does not hide them. At level debug every line is written.
 */
function createAnswerLog(logger: Logger): (answered: Answered) => void {
  const newBudget = () => createLineBudget({ perSecond: UNKNOWN_CALLER_LINES_PER_SECOND });
  const [others, failures] = [newBudget(), newBudget()];
  return (answered) => {
    const { knownCaller, route, status } = answered;
    // Files of the dashboard are asked for by the dozen and have no route.
    if (status < 400 && route === NO_ROUTE) return logger.debug(answerLine(answered), 'request answered');
    const { level, text } = severityOf(status);
    if (!logger.isLevelEnabled(level)) return;
    const budget = status >= 500 ? failures : others;
    const written = knownCaller || logger.isLevelEnabled('debug') ? {} : budget.take();
    if (written !== undefined) logger[level]({ ...answerLine(answered), ...written }, text);
  };
}

function severityOf(status: number) {
  if (status >= 500) return { level: 'error', text: 'request failed' } as const;
  if (status >= 400) return { level: 'warn', text: 'request refused' } as const;
  return { level: 'info', text: 'request answered' } as const;
}

function answerLine({ requestId, method, route, status, code, durationMs }: Answered) {
  const duration_ms = Math.round(durationMs * 10) / 10;
  return { event: 'request.answered', request_id: requestId, method, route, status, code, duration_ms };
}
