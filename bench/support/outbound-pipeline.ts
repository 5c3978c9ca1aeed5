import { join } from 'node:path';
import { createKeyspace } from '@sluice/shards/keyspace';
import { OUTBOUND_PARTS, type OutboundPart } from './outbound-parts.ts';
import { presign } from './presign.ts';
import { type Measured, startProgram, startService } from './processes.ts';
import { type BenchReceiver, startBenchReceiver } from './receiver.ts';
import { startBenchRedis } from './redis.ts';
import { redisFacts } from './redis-facts.ts';
import { writeRequests } from './requests-file.ts';
import { type BenchSource, publishSources, SERVICE_ENV } from './sources.ts';
import type { Keep } from './stage.ts';
import { type StoreName, startStore } from './store.ts';
import { storeSubscriptions } from './stored-subscriptions.ts';
import type { Draining } from './wait-applied.ts';
import { readWorkerMetrics } from './worker-metrics.ts';

/** CPU time of each part of an outbound pipeline. Seconds, or microseconds a message. */
export type OutboundCpu = Readonly<Record<OutboundPart, number>>;

/** A pipeline from a publisher's request to the receivers. */
export interface OutboundPipeline {
  readonly url: string;
  readonly receiver: BenchReceiver;
  readonly parts: Readonly<Record<OutboundPart, Pick<Measured, 'cpuSeconds'> | undefined>>;
  readonly sources: readonly BenchSource[];
  /** Absent: the pipeline logs no publishes. */
  readonly draining?: Draining;
  /** Waits until it is at rest after the last receipt. Absent: it has no work then, or its work is not known. */
  rest?(): Promise<void>;
  /** Writes the requests of this many messages for wrk, different from those before. */
  prepare(file: string, from: number, count: number): Promise<void>;
}

export interface OutboundSettings {
  readonly store: StoreName;
  /** Subscriptions of each account, each with another URL. */
  readonly subscriptions: number;
  readonly accounts?: number;
  /** The first subscriptions of each account belong to a receiver that never responds. */
  readonly dead?: number;
  /** Options of Node for parts, such as `--cpu-prof`. */
  readonly execArgv?: Readonly<Partial<Record<Exclude<OutboundPart, 'redis'>, readonly string[]>>>;
}

/** Sluice with one process of each service. */
export async function startOutbound(keep: Keep, settings: OutboundSettings): Promise<OutboundPipeline> {
  const { store: storeName, subscriptions, accounts = 1, dead = 0, execArgv = {} } = settings;
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore(storeName, execArgv.store));
  const receiver = await keep(startBenchReceiver());
  const deadReceiver = dead > 0 ? await keep(startBenchReceiver({ dead: true })) : undefined;
  const accountIds = Array.from({ length: accounts }, (_, number) => `acc_bench${number}`);
  const sources = await publishSources(redis.url, accounts, (number) => accountIds[number] as string);
  const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: store.url };
  const worker = await keep(startService('worker', env, execArgv.worker));
  const urls = Array.from({ length: subscriptions }, (_, number) => {
    const { url } = number < dead ? (deadReceiver as BenchReceiver) : receiver;
    return `${url}/hook/${number}`;
  });
  // After the worker has made the indexes.
  await storeSubscriptions(
    store.db,
    accountIds.map((accountId) => ({ accountId, urls })),
  );
  const dispatcher = await keep(startService('dispatcher', env, execArgv.dispatcher));
  const ingress = await keep(startService('ingress', env, execArgv.ingress));
  const facts = await keep(redisFacts(redis.url));
  const draining = {
    waiting: () => facts.jobs(`${createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE).prefix}:actions`),
    async applied() {
      const { applied, failed } = await readWorkerMetrics(worker.adminUrl);
      if (failed > 0) throw new Error(`${failed} actions failed`);
      return applied;
    },
  };
  return {
    ...{ url: ingress.url, receiver, sources, draining },
    parts: { ingress, worker, dispatcher, redis, store },
    prepare: (file, from, count) => presign({ file, count, targets: sources, from }),
  };
}

/** Sluice's mailboxes and dispatcher, with a publisher like that of the naive pipeline. It counts as the ingress. */
export async function startDirectOutbound(keep: Keep, storeName: StoreName): Promise<OutboundPipeline> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore(storeName));
  const receiver = await keep(startBenchReceiver());
  const accountId = 'acc_bench0';
  await storeSubscriptions(store.db, [{ accountId, urls: [`${receiver.url}/hook/0`] }]);
  const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: store.url };
  const dispatcher = await keep(startService('dispatcher', env));
  const ingress = await keep(startProgram('direct-publisher', { ...env, ACCOUNT: accountId }));
  return {
    ...{ url: ingress.url, receiver, sources: [] },
    parts: { ingress, worker: undefined, dispatcher, redis, store },
    prepare: (file, from, count) => writePublishes(file, '/publish', from, count),
  };
}

/** The naive outbound pipeline of bench/programs, on the same stores. Its publisher counts as the ingress. */
export async function startNaiveOutbound(keep: Keep, storeName: StoreName): Promise<OutboundPipeline> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore(storeName));
  const receiver = await keep(startBenchReceiver());
  const env = { REDIS_URL: redis.url, MONGO_URL: store.url, TARGET: `${receiver.url}/hook` };
  const dispatcher = await keep(startProgram('naive-dispatcher', env));
  const ingress = await keep(startProgram('naive-publisher', env));
  return {
    ...{ url: ingress.url, receiver, sources: [] },
    parts: { ingress, worker: undefined, dispatcher, redis, store },
    prepare: (file, from, count) => writePublishes(file, '/publish', from, count),
  };
}

interface PublishForm {
  readonly headers?: Readonly<Record<string, string>>;
  /** Wraps a message in what the publisher expects around it. */
  readonly bodyOf?: (message: string) => string;
}

/** A message is as large as those of Sluice. */
export async function writePublishes(
  file: string,
  path: string,
  from: number,
  count: number,
  { headers = {}, bodyOf = (message) => message }: PublishForm = {},
): Promise<void> {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = Array.from({ length: count }, (_, number) => {
    const body = bodyOf(JSON.stringify({ number: from + number, filler: 'x'.repeat(600) }));
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${more.join('')}`;
    return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
  await writeRequests(file, requests);
}

/** CPU time of each part so far. Seconds. */
export async function outboundCpu({ parts }: OutboundPipeline): Promise<OutboundCpu> {
  const read = OUTBOUND_PARTS.map(async (part) => [part, (await parts[part]?.cpuSeconds()) ?? 0] as const);
  return Object.fromEntries(await Promise.all(read)) as Record<OutboundPart, number>;
}

/** CPU time between two readings. Microseconds a message. */
export function outboundCpuPerMessage(
  before: OutboundCpu,
  after: OutboundCpu,
  messages: number,
): OutboundCpu {
  const of = (part: OutboundPart) => [part, ((after[part] - before[part]) * 1e6) / messages] as const;
  return Object.fromEntries(OUTBOUND_PARTS.map(of)) as Record<OutboundPart, number>;
}

/** Path of the requests' file in a temporary folder. */
export const requestsIn = (folder: string): string => join(folder, 'requests');
