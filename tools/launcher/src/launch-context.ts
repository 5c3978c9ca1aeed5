import type { Releasers } from '@sluice/runtime/process/releasers';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { LauncherConfig } from './config.ts';
import type { Output } from './output.ts';

/** The context of every stage of the start. */
export interface LaunchContext {
  readonly config: LauncherConfig;
  readonly output: Output;
  readonly logger: Logger;
  readonly releasers: Releasers;
  /** Kills each started process, after a second Ctrl-C. */
  readonly killers: (() => void)[];
  /** Ends the start without a message once a stop has begun, because nothing would release what is acquired after that. */
  readonly unlessStopping: () => void;
  readonly isStopping: () => boolean;
  readonly onBadConfig: (name: string) => void;
}

/** An error that the user must correct; shown without a stack trace. */
export class LaunchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LaunchError';
  }
}
