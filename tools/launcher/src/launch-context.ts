import type { Releasers } from '@sluice/runtime/process/releasers';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { LauncherConfig } from './config.ts';
import type { Output } from './output.ts';

/** What every stage of the start needs. */
export interface LaunchContext {
  readonly config: LauncherConfig;
  readonly output: Output;
  readonly logger: Logger;
  readonly releasers: Releasers;
  /** What to do when somebody will not wait any longer: each started process is killed. */
  readonly killers: (() => void)[];
  /** Ends the start, quietly, once a stop has begun: what is acquired after that would be left behind. */
  readonly unlessStopping: () => void;
  readonly isStopping: () => boolean;
  readonly onBadConfig: (name: string) => void;
}
