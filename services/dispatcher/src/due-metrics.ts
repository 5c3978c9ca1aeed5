import type { Turns } from '@sluice/outbound/queue/turn';
import { DISPATCHER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { within } from '@sluice/runtime/timing/within';

export interface DueMetricsDeps {
  readonly metrics: Metrics;
  readonly turns: Pick<Turns, 'countDue'>;
  readonly shards: number;
}

/** A scrape must not wait for a Redis that hangs. */
const ANSWER_MS = 1000;

/** Reports how many subscriptions wait for a dispatcher. Every dispatcher reports the same; NaN while Redis is away. */
export function registerDueMetrics({ metrics, turns, shards }: DueMetricsDeps): void {
  const count = async () => {
    const all = Array.from({ length: shards }, (_, shard) => turns.countDue(shard));
    const counted = await within(ANSWER_MS, Promise.all(all), () => undefined).catch(() => undefined);
    return {
      subscriptions: counted?.reduce((sum, one) => sum + one.subscriptions, 0) ?? Number.NaN,
      oldestMs: counted === undefined ? Number.NaN : Math.max(0, ...counted.map(({ oldestMs }) => oldestMs)),
    };
  };
  metrics.gauge({
    ...DISPATCHER_METRICS.sluice_mailboxes_due,
    async collect() {
      this.set((await count()).subscriptions);
    },
  });
  metrics.gauge({
    ...DISPATCHER_METRICS.sluice_mailboxes_oldest_due_seconds,
    async collect() {
      this.set((await count()).oldestMs / 1000);
    },
  });
}
