import { createKeyspace } from '@sluice/redis/keyspace';
import type { Db } from 'mongodb';
import { countOf, type Measured, type MeasuredService, startProgram, startService } from './processes.ts';
import { countJobs, type JobCounter, startBenchRedis } from './redis.ts';
import { type BenchSource, publishSources, SECRET, SERVICE_ENV, type SourceExtras } from './sources.ts';
import type { Keep } from './stage.ts';
import { type BenchStore, type StoreName, startStore } from './store.ts';
import type { Draining } from './wait-applied.ts';

/** A pipeline from the request to the store, with its measured parts. */
export interface Pipeline extends Draining {
  readonly url: string;
  readonly sources: readonly BenchSource[];
  readonly parts: {
    readonly ingress: Measured;
    readonly redis: Measured;
    readonly worker: Measured;
    readonly store: BenchStore;
  };
}

/** Sluice as operators run it: bundled services, one process each. */
export async function startSluice(
  keep: Keep,
  storeName: StoreName,
  extras?: SourceExtras,
): Promise<Pipeline> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore(storeName));
  const jobs = await keep(countJobs(redis.url));
  const sources = await publishSources(redis.url, undefined, extras);
  const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: store.url };
  const worker = await keep(startService('worker', env));
  const ingress = await keep(startService('ingress', env));
  const parts = { ingress, redis, worker, store };
  return { url: ingress.url, sources, parts, ...drainingOf(worker, jobs) };
}

/** The naive pipeline of bench/programs, on the same stores. */
export async function startNaive(keep: Keep, storeName: StoreName): Promise<Pipeline> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore(storeName));
  const jobs = await keep(countJobs(redis.url));
  const sources = await publishSources(redis.url);
  const env = { SECRET, REDIS_URL: redis.url, MONGO_URL: store.url };
  const worker = await keep(startProgram('naive-worker', env));
  const ingress = await keep(startProgram('naive', env));
  const parts = { ingress, redis, worker, store };
  const applied = countOf(worker);
  return {
    url: ingress.url,
    sources,
    parts,
    waiting: () => jobs.jobs('bull:naive'),
    applied: async () => applied(),
  };
}

/** What waits for a worker of Sluice, and what it has applied. */
export function drainingOf({ adminUrl }: MeasuredService, { jobs }: JobCounter): Draining {
  return {
    waiting: () => jobs(`${createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE).prefix}:actions`),
    async applied() {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith('sluice_worker_actions_total{'));
      const sum = (of: readonly string[]) =>
        of.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
      const failed = sum(lines.filter((line) => line.includes('outcome="failed"')));
      if (failed > 0) throw new Error(`${failed} actions failed`);
      return sum(lines);
    },
  };
}

/** Throws unless the log has exactly this many rows, so that none is lost or duplicated. */
export async function expectRows(db: Db, count: number): Promise<void> {
  const rows = await db.collection('deliveries').countDocuments();
  if (rows !== count) throw new Error(`the log holds ${rows} rows for ${count} answers of 200`);
}
