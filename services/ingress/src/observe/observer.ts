import { CONVERSATIONS_ROUTE, PROBED_SOURCE, WEBHOOK_ROUTE } from '@sluice/contract/delivery/webhook-path';
import { PROBLEMS, type ProblemCode, WEBHOOK_PROBLEMS } from '@sluice/contract/problem/problem';
import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { INGRESS_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Counter, Histogram, Metrics } from '@sluice/runtime/telemetry/metrics';
import type { AdmitGroupDeps } from '../admit/admit-group.ts';
import { codeOf } from '../answer/reply.ts';
import type { IngressConfig } from '../config.ts';
import { reasonOfUnavailable } from '../gate/unavailable.ts';
import type { AppDeps } from '../http/app.ts';
import type { Answered, ExchangeDeps } from '../http/exchange.ts';
import type { LaneDeps } from '../lanes/lane.ts';
import { observeSources } from './rejected-sources.ts';

/** Reports the work of the ingress: metrics, traces, and log lines for problems that need attention. */
export interface Observer
  extends Pick<ExchangeDeps, 'onAnswer' | 'onError' | 'startTrace'>,
    Pick<AppDeps, 'onStray'>,
    Pick<AdmitGroupDeps, 'onActions'>,
    Pick<LaneDeps, 'onRefusals' | 'onLostWrites'> {
  /** One call for each request, with the HTTP reader that read it. */
  onRead(reader: HttpReader): void;
}

type HttpReader = IngressConfig['INGRESS_HTTP_READER'];

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** No metric has a label for sources or addresses, because their number has no bound. */
export function createObserver({ logger, metrics }: { logger: Logger; metrics: Metrics }): Observer {
  const duration = metrics.histogram({
    ...INGRESS_METRICS.http_request_duration_seconds,
    buckets: LATENCY_BUCKETS_S,
  });
  const requests = metrics.counter(INGRESS_METRICS.webhook_requests_total);
  // Each begins at 0: Prometheus sees no increase in a series that begins with its first error.
  for (const code of [...WEBHOOK_PROBLEMS, 'not_found'] as const)
    requests.inc({ code, status: PROBLEMS[code].status }, 0);
  const sawSource = observeSources({ metrics, logger });
  const groups = metrics.histogram({ ...INGRESS_METRICS.webhook_group_size, buckets: GROUP_BUCKETS });
  const reads = metrics.counter(INGRESS_METRICS.webhook_requests_read_total);
  const readBy = { plain: reads.labels('plain'), node: reads.labels('node') };
  for (const reader of [readBy.plain, readBy.node]) reader.inc(0);
  const lostGroups = metrics.counter(INGRESS_METRICS.sluice_redis_lost_groups_total);
  const logAnswer = createAnswerLog(logger);
  const [actionGroups, refusalGroups] = [groups.labels('actions'), groups.labels('refusals')];
  const metricsAt = (route: string) =>
    remember((method: string, code: string, status: number) => ({
      duration: duration.labels(method, route, String(status)),
      requests: requests.labels(code, String(status)),
    }));
  const metricsOf = { events: metricsAt(WEBHOOK_ROUTE), channel: metricsAt(CONVERSATIONS_ROUTE) };
  return {
    onAnswer(answered) {
      const { code, status } = codeOf(answered.reply);
      const metric = metricsOf[answered.kind](answered.method === 'POST' ? 'POST' : 'other', code, status);
      metric.duration.observe(answered.durationMs / 1000);
      metric.requests.inc();
      sawSource(answered.sourceId, code, status);
      logAnswer(answered, code, status);
    },
    onRead: (reader) => readBy[reader].inc(),
    onStray: (code: ProblemCode) => requests.inc({ code, status: PROBLEMS[code].status }),
    onError(error, requestId) {
      logger.error({ event: 'request.error', err: error, request_id: requestId }, 'request failed');
    },
    onActions: (actions) => actionGroups.observe(actions),
    onRefusals: (refusals) => refusalGroups.observe(refusals),
    onLostWrites({ groups, lastConfirmedMs }) {
      lostGroups.inc(groups);
      const last_confirmed_at = new Date(lastConfirmedMs).toISOString();
      logger.error(
        { event: 'redis.lost_writes', groups, last_confirmed_at },
        'Redis came back with less than it confirmed. Accepted actions may be lost: ask senders to send again what they sent before last_confirmed_at.',
      );
    },
  };
}

interface AnswerMetrics {
  readonly duration: Histogram.Internal<string>;
  readonly requests: Counter.Internal;
}

/** Looks up each code's metrics once, because the library hashes the labels at every call. A code has one status. */
function remember(look: (method: string, code: string, status: number) => AnswerMetrics): typeof look {
  const posted = new Map<string, AnswerMetrics>();
  const others = new Map<string, AnswerMetrics>();
  return (method, code, status) => {
    const known = method === 'POST' ? posted : others;
    let found = known.get(code);
    if (found === undefined) {
      found = look(method, code, status);
      known.set(code, found);
    }
    return found;
  };
}

/** Log lines for rejected requests. All of them are in the delivery log and in the metrics. */
const REFUSAL_LINES_PER_SECOND = 10;

/** One line for each request: accepted ones at level debug only, rejected ones unless there is a flood of them. */
function createAnswerLog(logger: Logger): (answered: Answered, code: string, status: number) => void {
  const budget = createLineBudget({ perSecond: REFUSAL_LINES_PER_SECOND });
  return (answered, code, status) => {
    if (logger.isLevelEnabled('debug')) {
      const line = answerLine(answered, code, status);
      if (status < 400) return logger.debug(line, 'request answered');
      return refused(line, status);
    }
    if (status < 400 || isProbe(answered, code)) return;
    const taken = budget.take();
    if (taken !== undefined) refused({ ...answerLine(answered, code, status), ...taken }, status);
  };

  function refused(line: object, status: number): void {
    if (status >= 500) logger.error(line, "request rejected: the fault is not the sender's");
    else logger.warn(line, 'request rejected');
  }
}

/** A check by `sluice doctor` is no rejected request. */
function isProbe({ sourceId }: Answered, code: string): boolean {
  return sourceId === PROBED_SOURCE && code === 'method_not_allowed';
}

/** A sender may put any text in place of a source id. */
const LONGEST_ID = 64;

function answerLine(
  { requestId, sourceId, reply, durationMs, traceId }: Answered,
  code: string,
  status: number,
) {
  return {
    event: 'request.answered',
    request_id: requestId,
    trace_id: traceId,
    source_id: sourceId.slice(0, LONGEST_ID),
    delivery_id: reply.kind === 'accepted' ? reply.deliveryId : undefined,
    code,
    status,
    reason: reasonOfUnavailable(reply),
    duration_ms: Math.round(durationMs * 10) / 10,
  };
}
