import { createKeyspace } from '@sluice/shards/keyspace';
import type { Db } from 'mongodb';
import type { Measured } from './processes.ts';
import { countOf, startProgram, startService } from './processes.ts';
import { startBenchRedis } from './redis.ts';
import { type RedisFacts, redisFacts } from './redis-facts.ts';
import { type BenchSource, publishSources, SECRET, SERVICE_ENV } from './sources.ts';
import type { Keep } from './stage.ts';
import { type BenchStore, type StoreName, startStore } from './store.ts';
import type { Draining } from './wait-applied.ts';
import { readWorkerMetrics, type WorkerMetrics } from './worker-metrics.ts';

const PREFIX = createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE).prefix;

/** A pipeline from the request to the store, with its measured parts. */
export interface Pipeline extends Draining {
  readonly urls: readonly string[];
  readonly sources: readonly BenchSource[];
  readonly redis: Measured;
  readonly redisFacts: RedisFacts;
  readonly store: BenchStore;
  readonly ingresses: readonly Measured[];
  readonly workers: readonly Measured[];
}

export interface SluicePipeline extends Pipeline {
  metrics(): Promise<WorkerMetrics[]>;
}

export interface PipelineSettings {
  readonly store: StoreName;
  readonly ingresses?: number;
  readonly workers?: number;
  /** The checkout whose bundles run. Default: this one. */
  readonly root?: string;
  /** Options for Node, such as `--cpu-prof`. */
  readonly execArgv?: { readonly worker: readonly string[]; readonly store: readonly string[] };
}

/** Sluice as operators run it: bundled services, one process each. */
export async function startSluice(
  keep: Keep,
  { store: storeName, ingresses = 1, workers = 1, root, execArgv }: PipelineSettings,
): Promise<SluicePipeline> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore(storeName, execArgv?.store, root));
  const facts = await keep(redisFacts(redis.url));
  const sources = await publishSources(redis.url);
  const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: store.url };
  const started = <T>(count: number, start: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, start));
  const running = await started(workers, () => keep(startService('worker', env, execArgv?.worker, root)));
  const entries = await started(ingresses, () => keep(startService('ingress', env, [], root)));
  const metrics = () => Promise.all(running.map(({ adminUrl }) => readWorkerMetrics(adminUrl)));
  return {
    urls: entries.map(({ url }) => url),
    sources,
    redis,
    redisFacts: facts,
    store,
    ingresses: entries,
    workers: running,
    metrics,
    waiting: () => facts.jobs(`${PREFIX}:actions`),
    async applied() {
      const all = await metrics();
      const failed = all.reduce((sum, one) => sum + one.failed, 0);
      if (failed > 0) throw new Error(`${failed} actions failed`);
      return all.reduce((sum, one) => sum + one.applied, 0);
    },
  };
}

/** The naive pipeline of bench/programs, on the same stores. */
export async function startNaive(keep: Keep, { store: storeName }: PipelineSettings): Promise<Pipeline> {
  const [redis, store] = [await keep(startBenchRedis()), await keep(startStore(storeName))];
  const facts = await keep(redisFacts(redis.url));
  const sources = await publishSources(redis.url);
  const env = { SECRET, REDIS_URL: redis.url, MONGO_URL: store.url };
  const worker = await keep(startProgram('naive-worker', env));
  const entry = await keep(startProgram('naive', env));
  const applied = countOf(worker);
  return {
    urls: [entry.url],
    sources,
    redis,
    redisFacts: facts,
    store,
    ingresses: [entry],
    workers: [worker],
    waiting: () => facts.jobs('bull:naive'),
    applied: async () => applied(),
  };
}

/** Throws unless the log has exactly this many rows, so that none is lost or duplicated. */
export async function expectRows(db: Db, count: number): Promise<void> {
  const rows = await db.collection('deliveries').countDocuments();
  if (rows !== count) throw new Error(`the log holds ${rows} rows for ${count} answers of 200`);
}
