import { randomBytes } from 'node:crypto';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { parsePlans } from '@sluice/contract/account/plans';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { createKeyring } from '@sluice/credentials/seal';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards } from '@sluice/redis/shards/shards';
import { connectStore, type Store } from '@sluice/store/connect';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { mongo } from 'mongoose';
import { freePort } from './free-port.ts';
import type { TestSource } from './ingress.ts';
import { type MongoProcess, startMongo } from './mongo-process.ts';
import { createPipelineAdmin, type PipelineAdmin } from './pipeline-admin.ts';
import { countQueued, type Queued } from './queued.ts';
import { type RedisServer, type RedisServerSettings, startRedis } from './redis-server.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { uniqueNamespace } from './shared-redis.ts';
import { silentLogger } from './silent-logger.ts';
import { createStarted, orStopped, type Started } from './started.ts';
import { until } from './until.ts';
import { use } from './use.ts';

export interface PipelineSettings {
  readonly ingress?: number;
  readonly workers?: number;
  /** Additional environment of the services. */
  readonly env?: Record<string, string>;
  /** An existing Redis, such as a Cluster. It is not stopped. Default: a separate one. */
  readonly redisUrl?: string;
  /** Default: an append-only file with an fsync per write. */
  readonly redis?: RedisServerSettings;
  /** An existing MongoDB. It is not stopped. Default: MONGO_URL, or else a separate embedded store. */
  readonly mongoUrl?: string;
  /** Puts a proxy between the services and MongoDB: gets its URL and returns the URL for the services. */
  readonly beforeMongo?: (url: string) => Promise<string>;
}

/** The whole service as operators run it: real processes, a separate Redis, and MongoDB. */
export interface Pipeline extends PipelineAdmin {
  readonly redis: RedisServer;
  /** The embedded store's process; undefined with another engine, which is not ours to kill. */
  readonly mongo: MongoProcess | undefined;
  readonly store: Store;
  readonly namespace: string;
  /** The environment of every service. */
  readonly env: Readonly<Record<string, string>>;
  readonly ingresses: ServiceProcess[];
  readonly workers: ServiceProcess[];
  /** The base URL of each ingress. */
  readonly urls: string[];
  /**
   * `changed` overrides the common environment. Resolves with the base URL once it is ready, or already when it
   * listens.
   */
  addIngress(changed?: Readonly<Record<string, string>>, until?: 'ready' | 'listening'): Promise<string>;
  addWorker(): ServiceProcess;
  deliveries(source: Pick<TestSource, 'sourceId'>): Promise<Delivery[]>;
  events(source: Pick<TestSource, 'sourceId'>): Promise<ListedEvent[]>;
  queued(): Promise<Queued>;
  /** Waits until the delivery log of a source has this many rows, and returns them. */
  logged(source: TestSource, rows: number, withinMs?: number): Promise<Delivery[]>;
  stop(): Promise<void>;
}

/** A pipeline for the tests of a describe block. Settings that depend on another part are a function. */
export function usePipeline(settings: PipelineSettings | (() => PipelineSettings) = {}): Pipeline {
  const start = () => startPipeline(typeof settings === 'function' ? settings() : settings);
  return use(start);
}

/** If the start fails, everything that it had started is stopped. */
export function startPipeline(settings: PipelineSettings = {}): Promise<Pipeline> {
  const started = createStarted();
  return orStopped(started, () => start(settings, started));
}

async function start(
  {
    ingress = 1,
    workers = 1,
    env = {},
    redis: redisSettings = { aof: true },
    redisUrl: givenRedis,
    mongoUrl: given = process.env.MONGO_URL || undefined,
    beforeMongo,
  }: PipelineSettings,
  started: Started,
): Promise<Pipeline> {
  const namespace = uniqueNamespace('pipeline');
  const redisStarts =
    givenRedis === undefined ? started.keep(startRedis(redisSettings), (one) => one.stop()) : undefined;
  const mongoStarts = given === undefined ? started.keep(startMongo(), (one) => one.stop()) : undefined;
  await started.all<unknown>([redisStarts, mongoStarts].filter((one) => one !== undefined));
  const [ownRedis, mongoProcess] = [await redisStarts, await mongoStarts];
  const mongoUrl = given ?? (mongoProcess as MongoProcess).url;
  const redisUrl = givenRedis ?? (ownRedis as RedisServer).url;
  const secretKey = randomBytes(32);
  const serviceEnv = {
    REDIS_URL: redisUrl,
    MONGO_URL: (await beforeMongo?.(mongoUrl)) ?? mongoUrl,
    SLUICE_NAMESPACE: namespace,
    SLUICE_SECRET_KEY: secretKey.toString('base64'),
    INGRESS_ADMIN_PORT: '0',
    WORKER_ADMIN_PORT: '0',
    DISPATCHER_ADMIN_PORT: '0',
    RATE_LIMIT_BURST: '1000000',
    PLANS: 'free:5,unlimited',
    BAD_SIGNATURES_PER_MINUTE: '1000000',
    DRAIN_MS: '100',
    ...env,
  };
  const admin = connectRedis({ url: redisUrl, name: 'admin', role: 'worker', logger: silentLogger() });
  started.onStop(() => admin.disconnect());
  if (given !== undefined) started.onStop(() => dropDatabase(given, namespace));
  const store = connectStore({ url: mongoUrl, namespace });
  started.onStop(() => store.close());
  await store.opened();
  const settings: Record<string, string> = serviceEnv;
  const shards = createShards(namespace, Number(settings.QUEUE_SHARDS ?? 1));
  const replicas = Number(settings.REDIS_WAIT_REPLICAS ?? 0);
  const plans = parsePlans(serviceEnv.PLANS);
  if (!plans.ok) throw new Error(plans.detail);
  const deps = {
    sources: store.sources,
    accounts: store.accounts,
    directory: createShardedDirectory({
      redis: admin,
      shards,
      replicaWaits: createReplicaWaits({ redis: admin, shards, replicas }),
    }),
    keyring: createKeyring({ current: secretKey }),
    plans: plans.plans,
    now: Date.now,
  };

  /** The stop also kills processes that a test has removed from the lists, or that start after a timeout. */
  const begin = (name: 'ingress' | 'worker', env: Record<string, string>) => {
    const service = startService(name, env);
    started.onStop(() => service.kill('SIGKILL'));
    return service;
  };
  const pipeline: Pipeline = {
    get redis() {
      if (ownRedis === undefined) throw new Error('the Redis of this pipeline was given');
      return ownRedis;
    },
    mongo: mongoProcess,
    store,
    ...createPipelineAdmin(deps),
    namespace,
    env: serviceEnv,
    ingresses: [],
    workers: [],
    urls: [],
    async addIngress(changed = {}, until = 'ready') {
      // A fixed port: after a kill no other process may respond there, as one that asks for any port soon would.
      const port = String(await freePort());
      const service = begin('ingress', { INGRESS_PORT: port, ...serviceEnv, ...changed });
      const index = pipeline.ingresses.push(service) - 1;
      const { url } = await service.logged('ingress.listening');
      pipeline.urls[index] = url as string;
      if (until === 'ready') await service.ready();
      return url as string;
    },
    addWorker() {
      const service = begin('worker', serviceEnv);
      pipeline.workers.push(service);
      return service;
    },
    deliveries: ({ sourceId }) => collect(store.deliveries.listDeliveries({ source_id: sourceId })),
    events: ({ sourceId }) => collect(store.events.listEvents({ source_id: sourceId })),
    queued: () =>
      countQueued(
        admin,
        shards.all.map(({ prefix }) => prefix),
      ),
    async logged(source, rows, withinMs = 90_000) {
      let found: Delivery[] = [];
      await until(
        async () => {
          found = await pipeline.deliveries(source);
          return found.length >= rows;
        },
        { withinMs, what: `${rows} rows in the delivery log` },
      ).catch((error) => {
        throw new Error(`${(error as Error).message}; there are ${found.length}`);
      });
      return found;
    },
    stop: started.stop,
  };
  for (let i = 0; i < workers; i++) pipeline.addWorker();
  await started.all(Array.from({ length: ingress }, () => pipeline.addIngress()));
  return pipeline;
}

/** Reads all items into an array. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function dropDatabase(url: string, name: string): Promise<void> {
  const client = await new mongo.MongoClient(url).connect();
  await client.db(name).dropDatabase();
  await client.close();
}
