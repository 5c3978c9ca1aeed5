import type { CpuOfParts } from './cpu.ts';

/** The measurements at one size. Parts that did not run cost 0. */
export interface Point {
  readonly perSecond: number;
  readonly cpuUs: CpuOfParts;
  /** RSS of the measured process: the ingress or the worker. */
  readonly mib: number;
  readonly storeMiB: number;
  /** Redis memory of a waiting action. Bytes. */
  readonly redisBytes: number;
}
