import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { AttemptLog } from './attempt-log.ts';

export interface LogMetricsDeps {
  readonly metrics: Metrics;
  readonly log: Pick<AttemptLog, 'failingMs'>;
}

/** Reports how long this dispatcher could not write its log. MongoDB may refuse these writes alone. */
export function registerLogMetrics({ metrics, log }: LogMetricsDeps): void {
  metrics.gauge({
    name: 'sluice_dispatcher_log_failing_seconds',
    help: 'How long attempts could not be logged; 0: the last ones were.',
    collect() {
      this.set(log.failingMs() / 1000);
    },
  });
}
