import { REPLICA_KINDS, type ReplicaKind } from '@sluice/dashboard-api/replica-kinds';
import { GONE_MS, readReplicas } from '@sluice/monitoring/replicas';
import { countQueues } from '@sluice/queue/count-queues';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { inTimeForScrape } from '@sluice/runtime/telemetry/store-metrics';
import type { Redis } from 'ioredis';
import { readMemory } from './redis-memory.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];
/** Samples by metric name. A metric that could not be read has no samples. */
type Samples = Readonly<Record<string, readonly Sample[]>>;

/** Name, help, names of labels. */
type MetricInfo = readonly [string, string, ...string[]];

const QUEUE_GAUGES: readonly MetricInfo[] = [
  ['bullmq_job_count', 'Jobs (groups, or dead letters) in a queue by state.', 'queue', 'state'],
  [
    'webhook_queue_oldest_age_seconds',
    'Age of the oldest group that is waiting or active; 0: none.',
    'queue',
  ],
];
const QUEUE_COUNTERS: readonly MetricInfo[] = [
  ['bullmq_job_completed_total', 'Jobs that workers finished.', 'queue'],
  ['bullmq_job_failed_total', 'Jobs that BullMQ gave up. Normally 0.', 'queue'],
];

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
