import type { Turns } from '@sluice/outbound/queue/turns';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { within } from '@sluice/runtime/timing/within';

export interface DueMetricsDeps {
  readonly metrics: Metrics;
  readonly mailboxes: Pick<Turns, 'countDue'>;
  readonly shards: number;
}

/** A scrape must not wait for a Redis that hangs. */
const ANSWER_MS = 1000;

/** Reports how many mailboxes wait for a dispatcher. Every dispatcher reports the same; NaN while Redis is away. */
export function registerDueMetrics({ metrics, mailboxes, shards }: DueMetricsDeps): void {
  const count = async () => {
    const all = Array.from({ length: shards }, (_, shard) => mailboxes.countDue(shard));
    const counted = await within(ANSWER_MS, Promise.all(all), () => undefined).catch(() => undefined);
    return {
      mailboxes: counted?.reduce((sum, one) => sum + one.mailboxes, 0) ?? Number.NaN,
      oldestMs: counted === undefined ? Number.NaN : Math.max(0, ...counted.map(({ oldestMs }) => oldestMs)),
    };
  };
  metrics.gauge({
    name: 'sluice_mailboxes_due',
    help: 'Mailboxes with something due that wait for a dispatcher.',
    aggregator: 'max',
    async collect() {
      this.set((await count()).mailboxes);
    },
  });
  metrics.gauge({
    name: 'sluice_mailboxes_oldest_due_seconds',
    help: 'How long the first of them has waited; 0 without one.',
    aggregator: 'max',
    async collect() {
      this.set((await count()).oldestMs / 1000);
    },
  });
}
