import type { Logger } from '@sluice/runtime/logger';
import type { Metrics } from '@sluice/runtime/metrics';
import { type AppDeps, NO_ROUTE } from './app.ts';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What the API tells of its work: metrics by route as declared, and log lines without URLs, bodies or people. */
export function createObserver({
  logger,
  metrics,
}: {
  logger: Logger;
  metrics: Metrics;
}): Pick<AppDeps, 'onAnswer' | 'onError'> {
  const duration = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request headers to the end of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS_S,
  });
  return {
    onAnswer({ requestId, method, route, status, code, durationMs }) {
      duration.observe({ method, route, status }, durationMs / 1000);
      const line = {
        event: 'request.answered',
        request_id: requestId,
        method,
        route,
        status,
        code,
        duration_ms: Math.round(durationMs * 10) / 10,
      };
      if (status >= 500) logger.error(line, 'request failed');
      else if (status >= 400) logger.warn(line, 'request refused');
      // Files of the dashboard are asked for by the dozen and have no route.
      else if (route === NO_ROUTE) logger.debug(line, 'request answered');
      else logger.info(line, 'request answered');
    },
    onError(error, requestId) {
      logger.error({ event: 'request.error', err: error, request_id: requestId }, 'request failed');
    },
  };
}
