import type { Counted, CpuOf } from './cpu.ts';
import { drainingOf } from './pipeline.ts';
import { startProgram, startService } from './processes.ts';
import { type BenchReceiver, startBenchReceiver } from './receiver.ts';
import { countJobs, startBenchRedis } from './redis.ts';
import { writeRequests } from './requests-file.ts';
import { presign } from './sign-requests.ts';
import { type BenchSource, publishSources, SERVICE_ENV } from './sources.ts';
import type { Keep } from './stage.ts';
import { startStore } from './store.ts';
import { storeSubscriptions } from './stored-subscriptions.ts';
import type { Draining } from './wait-applied.ts';

export const OUTBOUND_PARTS = ['ingress', 'worker', 'dispatcher', 'redis', 'store'] as const;
type OutboundPart = (typeof OUTBOUND_PARTS)[number];
export type OutboundCpu = CpuOf<OutboundPart>;

/** A pipeline from a publisher's request to the receivers. Its store is the embedded one. */
export interface OutboundPipeline {
  readonly url: string;
  readonly receiver: BenchReceiver;
  readonly parts: Readonly<Record<OutboundPart, Counted | undefined>>;
  /** Absent: the pipeline logs no publishes. */
  readonly draining?: Draining;
  /** Writes the requests of this many messages for wrk, different from those before. */
  prepare(file: string, from: number, count: number): Promise<void>;
}

export interface SluiceOutbound extends OutboundPipeline {
  readonly sources: readonly BenchSource[];
}

interface OutboundSettings {
  /** Subscriptions of each account, each with another URL. */
  readonly subscriptions: number;
  readonly accounts?: number;
  /** The first subscriptions of each account belong to a receiver that never responds. */
  readonly dead?: number;
}

/** Sluice with one process of each service. */
export async function startOutbound(
  keep: Keep,
  { subscriptions, accounts = 1, dead = 0 }: OutboundSettings,
): Promise<SluiceOutbound> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore('embedded'));
  const receiver = await keep(startBenchReceiver());
  const deadReceiver = dead > 0 ? await keep(startBenchReceiver({ dead: true })) : receiver;
  const accountIds = Array.from({ length: accounts }, (_, number) => `acc_bench${number}`);
  const sources = await publishSources(redis.url, accountIds);
  const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: store.url };
  const worker = await keep(startService('worker', env));
  const urls = Array.from(
    { length: subscriptions },
    (_, number) => `${(number < dead ? deadReceiver : receiver).url}/hook/${number}`,
  );
  // After the worker has made the indexes.
  await storeSubscriptions(store.db, accountIds, urls);
  const dispatcher = await keep(startService('dispatcher', env));
  const ingress = await keep(startService('ingress', env));
  const jobs = await keep(countJobs(redis.url));
  return {
    url: ingress.url,
    receiver,
    sources,
    draining: drainingOf(worker, jobs),
    parts: { ingress, worker, dispatcher, redis, store },
    prepare: (file, from, count) => presign({ file, count, targets: sources, from }),
  };
}

/** The naive outbound pipeline of bench/programs, on the same stores. Its publisher counts as the ingress. */
export async function startNaiveOutbound(keep: Keep): Promise<OutboundPipeline> {
  const redis = await keep(startBenchRedis());
  const store = await keep(startStore('embedded'));
  const receiver = await keep(startBenchReceiver());
  const env = { REDIS_URL: redis.url, MONGO_URL: store.url, TARGET: `${receiver.url}/hook` };
  const dispatcher = await keep(startProgram('naive-dispatcher', env));
  const ingress = await keep(startProgram('naive-publisher', env));
  return {
    url: ingress.url,
    receiver,
    parts: { ingress, worker: undefined, dispatcher, redis, store },
    prepare: (file, from, count) => writeRequests(file, publishes(from, count)),
  };
}

/** A message is as large as those of Sluice. */
function* publishes(from: number, count: number): Generator<Buffer> {
  for (let number = from; number < from + count; number++) {
    const body = JSON.stringify({ number, filler: 'x'.repeat(600) });
    const head = 'POST /publish HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
    yield Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  }
}
