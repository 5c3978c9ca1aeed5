import { setTimeout as sleep } from 'node:timers/promises';
import type { SluicePipeline } from './pipeline.ts';

/** Memory of each part at one moment. */
export interface Sample {
  readonly seconds: number;
  /** Actions applied and logged since the processes started. */
  readonly actions: number;
  readonly ingressMiB: number;
  readonly workerMiB: number;
  readonly storeMiB: number;
  readonly redisMiB: number;
}

/** `seconds` counts from the first request. */
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

/** Rows older than this are deleted from the log. The TTL index does the same in production, only later. */
const KEPT_MS = 60_000;
/** Deletes a few hundred at a time, because deleting thousands blocks the store for a third of a second. */
const FORGET_EVERY_MS = 200;

/** Deletes old rows until its stage ends. Its stop rejects if that failed. */
export function forgetOldRows({ store }: SluicePipeline): { stop(): Promise<void> } {
  const rows = store.db.collection('deliveries');
  let stopped = false;
  const forgetting = (async () => {
    while (!stopped) {
      await rows.deleteMany({ received_at: { $lt: new Date(Date.now() - KEPT_MS) } });
      await sleep(FORGET_EVERY_MS);
    }
  })();
  // Report an error only when it is stopped.
  forgetting.catch(() => {});
  return {
    stop() {
      stopped = true;
      return forgetting;
    },
  };
}
