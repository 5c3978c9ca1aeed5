import { REPLICA_KINDS, type ReplicaKind } from '@sluice/dashboard-api/replica-kinds';
import { GONE_MS, readReplicas } from '@sluice/monitoring/replicas';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { inTimeForScrape } from '@sluice/runtime/telemetry/store-metrics';
import type { Redis } from 'ioredis';
import type { MetricInfo, Sample, Samples } from './metric-samples.ts';
import { QUEUE_COUNTERS, QUEUE_GAUGES, queueDepth } from './queue-depth-metrics.ts';
import { readMemory } from './redis-memory.ts';

export interface ObserveInstallationDeps {
  readonly metrics: Metrics;
  readonly redis: Redis;
  readonly shards: Shards;
  readonly queueStates: Pick<QueueStates, 'queues'>;
  readonly now: () => number;
}

const GAUGES: readonly MetricInfo[] = [
  ['sluice_redis_up', 'Whether Redis returned everything that the installation metrics need.'],
  ...QUEUE_GAUGES,
  ['sluice_replicas', 'Processes that reported within the last 10 s.', 'kind', 'state'],
  ['sluice_redis_memory_used_bytes', 'Memory that Redis uses.'],
  ['sluice_redis_memory_max_bytes', 'maxmemory of Redis; 0: no limit.'],
];

/**
 * Installation-wide metrics from Redis: queues, replicas, memory. Read at each scrape, once for all of them. Every API
 * replica reports the same values: aggregate with the maximum, not the sum.
 */
export function observeInstallation(deps: ObserveInstallationDeps): void {
  const { metrics, redis } = deps;
  let running: Promise<Samples> | undefined;
  // The registry collects all metrics at once. They share one read.
  const readOnce = (): Promise<Samples> => {
    running ??= inTimeForScrape(redis, () => readSamples(deps)).then((found) => {
      running = undefined;
      return { ...found, sluice_redis_up: [[{}, Number(found !== undefined)]] };
    });
    return running;
  };
  const samplesOf = async (name: string) => (await readOnce())[name] ?? [];
  for (const [name, help, ...labelNames] of GAUGES)
    metrics.gauge({
      ...{ name, help, labelNames },
      aggregator: 'max',
      async collect() {
        const samples = await samplesOf(name);
        this.reset();
        // A gauge without labels always has a sample. NaN means unknown; 0 would be a false value.
        if (labelNames.length === 0) this.set(Number.NaN);
        for (const [labels, value] of samples) this.set(labels, value);
      },
    });
  for (const [name, help, ...labelNames] of QUEUE_COUNTERS)
    metrics.counter({
      ...{ name, help, labelNames },
      aggregator: 'max',
      async collect() {
        const samples = await samplesOf(name);
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    });
}

async function readSamples({ redis, shards, queueStates, now }: ObserveInstallationDeps): Promise<Samples> {
  const [queues, replicas, memory] = await Promise.all([
    queueDepth(queueStates, now),
    readReplicas({ redis, keyspace: shards.first }, now()),
    readMemory(redis, shards),
  ]);
  const here = replicas.filter(({ last_seen_at }) => now() - last_seen_at < GONE_MS);
  const count = (kind: ReplicaKind, ready: boolean) =>
    here.filter((one) => one.kind === kind && (one.trouble === null) === ready).length;
  return {
    ...queues,
    sluice_replicas: REPLICA_KINDS.flatMap((kind): Sample[] => [
      [{ kind, state: 'ready' }, count(kind, true)],
      [{ kind, state: 'in_trouble' }, count(kind, false)],
    ]),
    sluice_redis_memory_used_bytes: [[{}, memory.used_bytes]],
    sluice_redis_memory_max_bytes: [[{}, memory.max_bytes ?? 0]],
  };
}
