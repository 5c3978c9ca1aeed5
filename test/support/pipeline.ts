import { randomBytes } from 'node:crypto';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { createShards } from '@sluice/admission/shards';
import type { Delivery } from '@sluice/contract/delivery';
import { DEFAULT_PLAN, parsePlans } from '@sluice/contract/plans';
import { createKeyring } from '@sluice/credentials/seal';
import { createAccount } from '@sluice/management/create-account';
import { createSource } from '@sluice/management/create-source';
import { rotateSecret } from '@sluice/management/rotate-secret';
import { setPlan } from '@sluice/management/set-plan';
import { setSourceActive } from '@sluice/management/set-source-active';
import { connectRedis } from '@sluice/runtime/redis-connection';
import { connectStore, type Store } from '@sluice/store/connect';
import type { ListedEvent } from '@sluice/store/listed-event';
import { mongo } from 'mongoose';
import type { TestSource } from './ingress.ts';
import { type MongoProcess, startMongo } from './mongo-process.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { uniqueNamespace } from './shared-redis.ts';
import { silentLogger } from './silent-logger.ts';
import { until } from './until.ts';

export interface PipelineSettings {
  readonly ingress?: number;
  readonly workers?: number;
  /** More environment of the services. */
  readonly env?: Record<string, string>;
  /** A Redis that is there already, such as a Cluster; it is not stopped. Default: one of its own. */
  readonly redisUrl?: string;
}

/** The whole service as operators run it: real processes, a Redis of its own, and MongoDB. */
export interface Pipeline {
  readonly redis: RedisServer;
  /** The embedded store's process; undefined where MONGO_URL names another engine, which is not ours to kill. */
  readonly mongo: MongoProcess | undefined;
  readonly store: Store;
  readonly namespace: string;
  /** What the services have in their environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly ingresses: ServiceProcess[];
  readonly workers: ServiceProcess[];
  /** Base URL of each ingress. */
  readonly urls: string[];
  addIngress(): Promise<string>;
  addWorker(): ServiceProcess;
  addSource(options?: {
    readonly plan?: string;
    readonly ratePerSecond?: number;
    readonly rateBurst?: number;
    /** Of an account that is there already. Default: a new one. */
    readonly accountId?: string;
  }): Promise<TestSource>;
  rotateSecret(source: TestSource): Promise<TestSource>;
  setActive(source: TestSource, active: boolean): Promise<void>;
  setPlan(source: TestSource, plan: string): Promise<void>;
  deliveries(source: Pick<TestSource, 'sourceId'>): Promise<Delivery[]>;
  events(source: Pick<TestSource, 'sourceId'>): Promise<ListedEvent[]>;
  /** Waits until the delivery log of a source has this many rows, and returns them. */
  logged(source: TestSource, rows: number, withinMs?: number): Promise<Delivery[]>;
  stop(): Promise<void>;
}

export async function startPipeline({
  ingress = 1,
  workers = 1,
  env = {},
  redisUrl: givenRedis,
}: PipelineSettings = {}): Promise<Pipeline> {
  const namespace = uniqueNamespace('pipeline');
  const given = process.env.MONGO_URL || undefined;
  const [ownRedis, mongoProcess] = await Promise.all([
    givenRedis === undefined ? startRedis({ aof: true }) : undefined,
    given === undefined ? startMongo() : undefined,
  ]);
  const mongoUrl = given ?? (mongoProcess as MongoProcess).url;
  const redisUrl = givenRedis ?? (ownRedis as RedisServer).url;
  const secretKey = randomBytes(32);
  const serviceEnv = {
    REDIS_URL: redisUrl,
    MONGO_URL: mongoUrl,
    SLUICE_NAMESPACE: namespace,
    SLUICE_SECRET_KEY: secretKey.toString('base64'),
    INGRESS_PORT: '0',
    INGRESS_ADMIN_PORT: '0',
    WORKER_ADMIN_PORT: '0',
    RATE_LIMIT_BURST: '1000000',
    PLANS: 'free:5,unlimited',
    BAD_SIGNATURES_PER_MINUTE: '1000000',
    ...env,
  };
  const store = connectStore({ url: mongoUrl, namespace });
  await store.opened();
  const admin = connectRedis({ url: redisUrl, name: 'admin', role: 'worker', logger: silentLogger() });
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

  const addAccount = async (plan: string): Promise<string> => {
    const account = await createAccount(deps, { name: 'test', plan });
    if (account.status !== 'created') throw new Error(account.status);
    return account.account.account_id;
  };
  const pipeline: Pipeline = {
    get redis() {
      if (ownRedis === undefined) throw new Error('the Redis of this pipeline was given');
      return ownRedis;
    },
    mongo: mongoProcess,
    store,
    namespace,
    env: serviceEnv,
    ingresses: [],
    workers: [],
    urls: [],
    async addIngress() {
      const service = startService('ingress', serviceEnv);
      const index = pipeline.ingresses.push(service) - 1;
      const { url } = await service.logged('ingress.listening');
      pipeline.urls[index] = url as string;
      await service.ready();
      return url as string;
    },
    addWorker() {
      const service = startService('worker', serviceEnv);
      pipeline.workers.push(service);
      return service;
    },
    async addSource({ plan = DEFAULT_PLAN, accountId: existing, ...rate } = {}) {
      const accountId = existing ?? (await addAccount(plan));
      const created = await createSource(deps, { accountId, name: 'test', ...rate });
      if (created.status !== 'created') throw new Error(created.status);
      const { source_id: sourceId } = created.source;
      return {
        sourceId,
        accountId,
        secret: created.signingSecret,
        path: `/api/v1/events/webhook/${sourceId}`,
      };
    },
    async rotateSecret(source) {
      const rotated = await rotateSecret(deps, source.sourceId);
      if (rotated.status !== 'rotated') throw new Error(rotated.status);
      return { ...source, secret: rotated.signingSecret };
    },
    async setActive({ sourceId }, active) {
      await setSourceActive(deps, sourceId, active);
    },
    async setPlan({ accountId }, plan) {
      await setPlan(deps, accountId, plan);
    },
    deliveries: ({ sourceId }) => collect(store.deliveries.listDeliveries({ source_id: sourceId })),
    events: ({ sourceId }) => collect(store.events.listEvents({ source_id: sourceId })),
    async logged(source, rows, withinMs = 20_000) {
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
    async stop() {
      await Promise.all(
        [...pipeline.ingresses, ...pipeline.workers].map((service) => service.kill('SIGKILL')),
      );
      await store.close();
      if (given !== undefined) await dropDatabase(given, namespace);
      admin.disconnect();
      await ownRedis?.stop();
      await mongoProcess?.stop();
    },
  };
  for (let i = 0; i < workers; i++) pipeline.addWorker();
  await Promise.all(Array.from({ length: ingress }, () => pipeline.addIngress()));
  return pipeline;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function dropDatabase(url: string, name: string): Promise<void> {
  const client = await new mongo.MongoClient(url).connect();
  await client.db(name).dropDatabase();
  await client.close();
}
