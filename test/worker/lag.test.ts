import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { createObserver } from '../../services/worker/src/observe.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe('worker: lag from receipt to log', () => {
  it("is never negative, even if the worker's clock is behind the ingress's", async () => {
    const metrics = createMetrics({ service: 'worker' });
    const received_at = Date.UTC(2026, 11, 1);
    const observer = createObserver({ metrics, logger: silentLogger(), now: () => received_at - 5000 });
    observer.applied({
      group_id: 'grp_1',
      trace_id: undefined,
      sourceIds: ['src_1'],
      outcomes: [{ outcome: 'created', received_at }],
      failures: [],
      rounds: 1,
      duration_ms: 3,
    });
    // Prometheus treats a decreasing sum as a counter reset, so its rate would be wrong.
    expect(await metrics.text()).to.match(/^sluice_worker_lag_seconds_sum\{[^}]*\} 0$/m);
  });
});
