import { DISPATCHER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { TextBudget } from './turns/text-portions.ts';
import type { SlowRequests } from './turns/turn-slots.ts';

interface Bounds {
  readonly slowRequests: SlowRequests;
  readonly texts: Pick<TextBudget, 'held'>;
}

/** Reports what the turns of all shards use of the bounds of the process. */
export function registerBounds(metrics: Metrics, { slowRequests, texts }: Bounds): void {
  metrics.gauge({
    ...DISPATCHER_METRICS.sluice_dispatcher_slow_requests,
    collect() {
      this.set(slowRequests.used);
    },
  });
  metrics.gauge({
    ...DISPATCHER_METRICS.sluice_dispatcher_text_characters,
    collect() {
      this.set(texts.held());
    },
  });
}
