import { type ReplicaKind, readReplicas } from '@sluice/activity/replicas';
import { countQueues } from '@sluice/queue/count-queues';
import type { QueueStates } from '@sluice/queue/queue-states';
import { inTimeForScrape } from '@sluice/runtime/telemetry/in-time-for-scrape';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { Shards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';
import { GONE_MS } from './queue-snapshot.ts';
import { readMemory } from './redis-memory.ts';

export interface ObserveInstallationDeps {
  readonly metrics: Metrics;
  readonly redis: Redis;
  readonly shards: Shards;
  readonly queueStates: Pick<QueueStates, 'queues'>;
  readonly now: () => number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];
/** Samples by metric name. A metric that could not be read has no samples. */
type Samples = Readonly<Record<string, readonly Sample[]>>;

const KINDS: readonly ReplicaKind[] = ['ingress', 'worker', 'api'];
const WORK_QUEUES: readonly string[] = ['actions', 'refusals'];

/** Name, help, names of labels. */
const GAUGES: readonly (readonly [string, string, ...string[]])[] = [
  ['sluice_redis_up', 'Whether Redis returned everything that the installation metrics need.'],
  ['bullmq_job_count', 'Jobs (groups, or dead letters) in a queue by state.', 'queue', 'state'],
  [
    'webhook_queue_oldest_age_seconds',
    'Age of the oldest group that is waiting or active; 0: none.',
    'queue',
  ],
  ['sluice_replicas', 'Processes that reported within the last 10 s.', 'kind', 'state'],
  ['sluice_redis_memory_used_bytes', 'Memory that Redis uses.'],
  ['sluice_redis_memory_max_bytes', 'maxmemory of Redis; 0: no limit.'],
];
const COUNTERS: typeof GAUGES = [
  ['bullmq_job_completed_total', 'Jobs that workers finished.', 'queue'],
  ['bullmq_job_failed_total', 'Jobs that BullMQ gave up. Normally 0.', 'queue'],
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
  for (const [name, help, ...labelNames] of COUNTERS)
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
    countQueues(queueStates.queues),
    readReplicas({ redis, keyspace: shards.first }, now()),
    readMemory(redis, shards),
  ]);
  const here = replicas.filter(({ last_seen_at }) => now() - last_seen_at < GONE_MS);
  const count = (kind: ReplicaKind, ready: boolean) =>
    here.filter((one) => one.kind === kind && (one.trouble === null) === ready).length;
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
    sluice_replicas: KINDS.flatMap((kind): Sample[] => [
      [{ kind, state: 'ready' }, count(kind, true)],
      [{ kind, state: 'in_trouble' }, count(kind, false)],
    ]),
    sluice_redis_memory_used_bytes: [[{}, memory.used_bytes]],
    sluice_redis_memory_max_bytes: [[{}, memory.max_bytes ?? 0]],
  };
}
