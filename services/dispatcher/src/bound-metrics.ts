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
    name: 'sluice_dispatcher_slow_requests',
    help: 'Requests to slow receivers, of all shards. At most 2,048.',
    collect() {
      this.set(slowRequests.used);
    },
  });
  metrics.gauge({
    name: 'sluice_dispatcher_text_characters',
    help: 'Texts of messages that all turns keep. Beyond 64 Mi each turn has 32 Ki, or one message at a time.',
    collect() {
      this.set(texts.held());
    },
  });
}
