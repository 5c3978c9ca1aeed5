import { REPLICA_KINDS, type ReplicaKind } from '@sluice/dashboard-api/replica-kinds';
import { GONE_MS, readReplicas } from '@sluice/monitoring/replicas';
import { countQueues } from '@sluice/queue/count-queues';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { Shards } from '@sluice/redis/shards/shards';
import { API_METRICS, type NamedMetric } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { inTimeForScrape } from '@sluice/runtime/telemetry/store-metrics';
import type { Redis } from 'ioredis';
import { readMemory } from './redis-memory.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];
/** Samples by metric name. A metric that could not be read has no samples. */
type Samples = Readonly<Record<string, readonly Sample[]>>;

const {
  sluice_redis_up,
  bullmq_job_count,
  bullmq_job_completed_total,
  bullmq_job_failed_total,
  webhook_queue_oldest_age_seconds,
  sluice_replicas,
  sluice_redis_memory_used_bytes,
  sluice_redis_memory_max_bytes,
} = API_METRICS;
const GAUGES: readonly NamedMetric[] = [
  sluice_redis_up,
  bullmq_job_count,
  webhook_queue_oldest_age_seconds,
  sluice_replicas,
  sluice_redis_memory_used_bytes,
  sluice_redis_memory_max_bytes,
];
const COUNTERS: readonly NamedMetric[] = [bullmq_job_completed_total, bullmq_job_failed_total];

const WORK_QUEUES: readonly string[] = ['actions', 'refusals'];

/** Reads how many jobs each queue has, over all shards, and how old the oldest is. Rejects if Redis does not respond. */
async function queueDepth(
  { queues: opened }: Pick<QueueStates, 'queues'>,
  now: () => number,
): Promise<Samples> {
  const queues = await countQueues(opened);
  return {
    bullmq_job_count: queues.flatMap(({ name: queue, states }) =>
      Object.entries(states).map(([state, value]): Sample => [{ queue, state }, value]),
    ),
    bullmq_job_completed_total: queues.map(({ name: queue, completed }) => [{ queue }, completed]),
    bullmq_job_failed_total: queues.map(({ name: queue, failed }) => [{ queue }, failed]),
    webhook_queue_oldest_age_seconds: queues
      .filter(({ name }) => WORK_QUEUES.includes(name))
      .map(({ name: queue, oldest_at }) => [
        { queue },
        oldest_at === null ? 0 : Math.max(0, now() - oldest_at) / 1000,
      ]),
  };
}

interface ObserveInstallationDeps {
  readonly metrics: Metrics;
  readonly redis: Redis;
  readonly shards: Shards;
  readonly queueStates: Pick<QueueStates, 'queues'>;
  readonly now: () => number;
}

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
  for (const metric of GAUGES)
    metrics.gauge({
      ...metric,
      async collect() {
        const samples = await samplesOf(metric.name);
        this.reset();
        // A gauge without labels always has a sample. NaN means unknown; 0 would be a false value.
        if (metric.labelNames.length === 0) this.set(Number.NaN);
        for (const [labels, value] of samples) this.set(labels, value);
      },
    });
  for (const metric of COUNTERS)
    metrics.counter({
      ...metric,
      async collect() {
        const samples = await samplesOf(metric.name);
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
