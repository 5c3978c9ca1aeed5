import { setTimeout as sleep } from 'node:timers/promises';
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
/** A few hundred at a time: a statement that takes out thousands holds up the store for a third of a second. */
const FORGET_EVERY_MS = 200;

/** Takes out old rows for as long as the stage lasts that keeps it. Its stop rejects where that went wrong. */
export function forgetOldRows({ store }: SluicePipeline): { stop(): Promise<void> } {
  const rows = store.db.collection('deliveries');
  let stopped = false;
  const forgetting = (async () => {
    while (!stopped) {
      await rows.deleteMany({ received_at: { $lt: new Date(Date.now() - KEPT_MS) } });
      await sleep(FORGET_EVERY_MS);
    }
  })();
  // Told when it is stopped, and not before.
  forgetting.catch(() => {});
  return {
    stop() {
      stopped = true;
      return forgetting;
    },
  };
}
