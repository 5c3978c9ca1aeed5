import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import type { AppDeps } from './app.ts';
import type { ApiConfig } from './config.ts';
import type { PasswordCost } from './password/password.ts';

export interface ApiDeps {
  readonly config: ApiConfig;
  readonly redis: Redis;
  readonly store: Store;
  readonly logger: Logger;
  readonly observer: Pick<AppDeps, 'onAnswer' | 'onError'>;
  /** Folder of the built dashboard. */
  readonly dashboardDir?: string;
  readonly passwordCost?: PasswordCost;
  /** How often a live stream checks that its user still has access. Default: 15 s. */
  readonly liveHeartbeatMs?: number;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}
