import { PROBLEMS } from '@sluice/contract/problem';
import type { Logger } from '@sluice/runtime/logger';
import type { Counter, Histogram, Metrics } from '@sluice/runtime/metrics';
import type { CommitRequestsDeps } from './enqueue/commit-requests.ts';
import type { Answered, ExchangeDeps } from './exchange.ts';

/** What the ingress tells the outside about its work: metrics, and log lines where somebody has to look. */
export type Observer = Pick<ExchangeDeps, 'onAnswer' | 'onError'> & Pick<CommitRequestsDeps, 'onGroup'>;

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Never labelled by source or address: those are without bound. */
export function createObserver({ logger, metrics }: { logger: Logger; metrics: Metrics }): Observer {
  const duration = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request headers to the answer.',
    labelNames: ['status'],
    buckets: LATENCY_BUCKETS_S,
  });
  const requests = metrics.counter({
    name: 'webhook_requests_total',
    help: 'Requests to the webhook endpoint by answer; code is ok, duplicate, or the problem code.',
    labelNames: ['code', 'status'],
  });
  const groups = metrics.histogram({
    name: 'webhook_group_size',
    help: 'Requests admitted and enqueued together.',
    labelNames: ['kind'],
    buckets: GROUP_BUCKETS,
  });
  // Looked up once for each code, of which there are few: the library hashes the labels anew every time.
  const byCode = new Map<string, { duration: Histogram.Internal<'status'>; requests: Counter.Internal }>();
  const metricsOf = (code: string, status: number) => {
    let found = byCode.get(code);
    if (found === undefined) {
      found = { duration: duration.labels({ status }), requests: requests.labels({ code, status }) };
      byCode.set(code, found);
    }
    return found;
  };
  return {
    onAnswer(answered) {
      const { code, status } = labelsOf(answered);
      const metric = metricsOf(code, status);
      metric.duration.observe(answered.durationMs / 1000);
      metric.requests.inc();
      if (logger.isLevelEnabled('debug'))
        logger.debug(answerLine(answered, code, status), 'request answered');
    },
    onError(error, requestId) {
      logger.error({ err: error, request_id: requestId }, 'request failed');
    },
    onGroup({ actions, refusals }) {
      if (actions > 0) groups.observe({ kind: 'actions' }, actions);
      if (refusals > 0) groups.observe({ kind: 'refusals' }, refusals);
    },
  };
}

function labelsOf({ reply }: Answered): { code: string; status: number } {
  switch (reply.kind) {
    case 'accepted':
      return { code: reply.duplicate ? 'duplicate' : 'ok', status: 200 };
    case 'refused':
      return { code: reply.refusal.code, status: PROBLEMS[reply.refusal.code].status };
  }
}

function answerLine({ requestId, sourceId, reply, durationMs }: Answered, code: string, status: number) {
  return {
    event: 'request.answered',
    request_id: requestId,
    source_id: sourceId,
    delivery_id: reply.kind === 'accepted' ? reply.deliveryId : undefined,
    code,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
  };
}
