import type { CpuOfParts } from './cpu.ts';

/** What was measured at one size. Parts that did not run cost 0. */
export interface Point {
  readonly perSecond: number;
  readonly cpuUs: CpuOfParts;
  /** RSS of the process that is looked at: the ingress or the worker. */
  readonly mib: number;
  readonly storeMiB: number;
  /** Of a waiting action. */
  readonly redisBytes: number;
}
