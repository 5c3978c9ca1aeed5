import { type CpuOfParts, cpuOf, cpuPerAction } from './cpu.ts';
import { type Filling, fillQueue } from './fill-queue.ts';
import type { SluicePipeline } from './pipeline.ts';
import { waitApplied } from './wait-applied.ts';

export interface Drained {
  readonly actionsPerSecond: number;
  readonly cpuUs: CpuOfParts;
  /** Redis memory of a waiting action. Bytes. */
  readonly redisBytes: number;
  readonly workerMiB: number;
  readonly storeMiB: number;
}

/** Freezes the workers, fills the queue, lets the workers continue, and waits until the queue is empty. */
export async function drain(pipeline: SluicePipeline, filling: Omit<Filling, 'redisUrl'>): Promise<Drained> {
  const { redis, redisFacts, store, workers, applied } = pipeline;
  const done = await applied();
  for (const { pid } of workers) process.kill(pid, 'SIGSTOP');
  const empty = await redisFacts.usedBytes();
  await fillQueue({ ...filling, redisUrl: redis.url });
  const redisBytes = ((await redisFacts.usedBytes()) - empty) / filling.actions;
  const before = await cpuOf(pipeline);
  const since = performance.now();
  for (const { pid } of workers) process.kill(pid, 'SIGCONT');
  const seconds = ((await waitApplied(done + filling.actions, pipeline)) - since) / 1000;
  const after = await cpuOf(pipeline);
  const workerMiB = await Promise.all(workers.map((worker) => worker.rssMiB()));
  return {
    actionsPerSecond: filling.actions / seconds,
    cpuUs: cpuPerAction(before, after, filling.actions),
    redisBytes,
    workerMiB: Math.max(...workerMiB),
    storeMiB: await store.rssMiB(),
  };
}
