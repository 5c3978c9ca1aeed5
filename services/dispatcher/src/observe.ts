import type { Logger } from '@sluice/runtime/telemetry/logger';
import { DISPATCHER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { type FinishedAttempt, isTest } from './turns/attempt.ts';

export interface ObserverDeps {
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** From a receiver beside this process to one that times out. Seconds. */
const ATTEMPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const WAIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600];

export interface Observed {
  onAttempt(finished: FinishedAttempt): void;
  onNoText(): void;
}

/** Records the metrics of a dispatcher, and a log line for each message that finally failed. */
export function observe({ metrics, logger, now }: ObserverDeps): Observed {
  const attempts = metrics.counter(DISPATCHER_METRICS.sluice_dispatcher_attempts_total);
  // An alert counts from 0, so that it sees the first one too.
  for (const code of ['no_secret', 'no_socket']) attempts.inc({ code }, 0);
  const failed = metrics.counter(DISPATCHER_METRICS.sluice_dispatcher_failed_messages_total);
  const withoutText = metrics.counter(DISPATCHER_METRICS.sluice_dispatcher_messages_without_text_total);
  const seconds = metrics.histogram({
    ...DISPATCHER_METRICS.sluice_dispatcher_attempt_seconds,
    buckets: ATTEMPT_BUCKETS,
  });
  const wait = metrics.histogram({
    ...DISPATCHER_METRICS.sluice_dispatcher_wait_seconds,
    buckets: WAIT_BUCKETS,
  });
  const onAttempt = ({ subscription, entry, outcome, row }: FinishedAttempt): void => {
    const { attempt, message_id, subscription_id, kind } = row;
    attempts.inc({ code: attempt.code });
    seconds.observe(attempt.duration_ms / 1000);
    const isFirst = entry.attempts === 0 && !entry.redelivery && outcome.result.outcome !== 'given_back';
    if (isFirst) wait.observe(Math.max(0, now() - entry.pushedAt) / 1000);
    // The caller of a test gets its result, and no change is lost.
    if (outcome.status !== 'failed' || isTest(subscription, entry)) return;
    failed.inc();
    logger.warn(
      {
        event: 'message.failed',
        message_id,
        subscription_id,
        kind,
        code: attempt.code,
        status: attempt.status,
      },
      'a message failed finally; an admin can send it again',
    );
  };
  return { onAttempt, onNoText: () => withoutText.inc() };
}

/** What the turns of all shards of this process use now. */
export interface InUse {
  /** Turns that run, but for those that wait for slow receivers. */
  readonly running: () => number;
  readonly slow: () => number;
  readonly slowRequests: () => number;
  readonly textCharacters: () => number;
  /** How long the log of attempts could not be written: MongoDB may refuse these writes alone. Milliseconds. */
  readonly logFailingMs: () => number;
}

/** Reports what this process uses of its bounds. */
export function registerInUse(metrics: Metrics, inUse: InUse): void {
  metrics.gauge(DISPATCHER_METRICS.sluice_dispatcher_turns, inUse.running);
  metrics.gauge(DISPATCHER_METRICS.sluice_dispatcher_slow_turns, inUse.slow);
  metrics.gauge(DISPATCHER_METRICS.sluice_dispatcher_slow_requests, inUse.slowRequests);
  metrics.gauge(DISPATCHER_METRICS.sluice_dispatcher_text_characters, inUse.textCharacters);
  metrics.gauge(DISPATCHER_METRICS.sluice_dispatcher_log_failing_seconds, () => inUse.logFailingMs() / 1000);
}
