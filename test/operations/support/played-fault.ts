import type { ServiceProcess } from '../../support/service-process.ts';
import type { PlayedStack } from './played-stack.ts';
import type { Prometheus } from './prometheus.ts';

/** A fault, and the alerts that must fire for it. */
export interface PlayedFault {
  readonly done: string;
  readonly alerts: readonly string[];
  /** Seconds from the fault until all of them fire, with `for` divided. */
  readonly within: number;
  /** More processes, which Prometheus scrapes too unless `unseen`. They run from before the fault until it ends. */
  readonly more?: (stack: PlayedStack) => Promise<readonly ServiceProcess[]>;
  readonly unseen?: true;
  /** Its alerts must end with it, and not only once the window of their rule is over. */
  readonly ends?: true;
  /** Must hold before the fault begins: a query with a result. */
  readonly first?: string;
  /** Causes the fault. Resolves to what ends it. */
  play(stack: PlayedStack, more: readonly ServiceProcess[], prometheus: Prometheus): Promise<() => unknown>;
}
