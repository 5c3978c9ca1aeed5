import type { Pipeline } from './pipeline.ts';

/** CPU time of each part of a pipeline: seconds, or microseconds an action. */
export interface CpuOfParts {
  readonly ingress: number;
  readonly redis: number;
  readonly worker: number;
  readonly store: number;
}

export type Part = keyof CpuOfParts;
export const PARTS: readonly Part[] = ['ingress', 'redis', 'worker', 'store'];

interface Consumer {
  cpuSeconds(): Promise<number>;
}

export async function cpuOf({ ingresses, redis, workers, store }: Pipeline): Promise<CpuOfParts> {
  const sum = async (parts: readonly Consumer[]) =>
    (await Promise.all(parts.map((part) => part.cpuSeconds()))).reduce((a, b) => a + b, 0);
  return {
    ingress: await sum(ingresses),
    redis: await redis.cpuSeconds(),
    worker: await sum(workers),
    store: await store.cpuSeconds(),
  };
}

/** CPU time of each part between two readings. Microseconds an action. */
export function cpuPerAction(before: CpuOfParts, after: CpuOfParts, actions: number): CpuOfParts {
  const of = (part: Part) => ((after[part] - before[part]) * 1e6) / actions;
  return { ingress: of('ingress'), redis: of('redis'), worker: of('worker'), store: of('store') };
}
