import type { SluicePipeline } from './pipeline.ts';

/** What each part holds, at a moment. */
export interface Sample {
  readonly seconds: number;
  /** Applied and logged since the processes started. */
  readonly actions: number;
  readonly ingressMiB: number;
  readonly workerMiB: number;
  readonly storeMiB: number;
  readonly redisMiB: number;
}

/** `seconds`: since the first request. */
export async function sampleMemory(pipeline: SluicePipeline, seconds: number): Promise<Sample> {
  const { ingresses, workers, store, redisFacts } = pipeline;
  const sum = async (parts: SluicePipeline['workers']) =>
    (await Promise.all(parts.map((part) => part.rssMiB()))).reduce((a, b) => a + b, 0);
  return {
    seconds,
    actions: await pipeline.applied(),
    ingressMiB: await sum(ingresses),
    workerMiB: await sum(workers),
    storeMiB: await store.rssMiB(),
    redisMiB: (await redisFacts.usedBytes()) / 1024 ** 2,
  };
}

/** Rows older than this are taken out of the log, as its TTL index would in production, only sooner. */
const KEPT_MS = 60_000;

export async function forgetOldRows({ store }: SluicePipeline): Promise<void> {
  const old = new Date(Date.now() - KEPT_MS);
  await store.db.collection('deliveries').deleteMany({ received_at: { $lt: old } });
}
