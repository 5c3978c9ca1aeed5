import { DISPATCHER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { AttemptLog } from './attempt-log.ts';

export interface LogMetricsDeps {
  readonly metrics: Metrics;
  readonly log: Pick<AttemptLog, 'failingMs'>;
}

/** Reports how long this dispatcher could not write its log. MongoDB may refuse these writes alone. */
export function registerLogMetrics({ metrics, log }: LogMetricsDeps): void {
  metrics.gauge({
    ...DISPATCHER_METRICS.sluice_dispatcher_log_failing_seconds,
    collect() {
      this.set(log.failingMs() / 1000);
    },
  });
}
