import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@sluice/contract/time/durations';
import type { Store } from './connect.ts';
import { isMongoAway } from './connection/mongo-away.ts';
import { errorFields } from './connection/mongo-refusal.ts';
import { createReminder } from './connection/reminder.ts';

export interface UntilPreparedDeps {
  readonly store: Pick<Store, 'opened'>;
  /** One try. Idempotent. */
  readonly prepare: () => Promise<void>;
  readonly logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Ends the tries. Absent: only success does. */
  readonly isStopping?: () => boolean;
  /** From a failed try to the next one. Milliseconds. */
  readonly againMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

const AGAIN_MS = 1 * SECOND_MS;

/**
 * Prepares the database, and tries again until it has worked or the process stops. Logs each reason, and again every 30 seconds while
 * it lasts: as a warning if MongoDB is away or rejects its user, else as an error.
 */
export async function untilPrepared({
  store,
  prepare,
  logger,
  isStopping = () => false,
  againMs = AGAIN_MS,
  now = () => performance.now(),
}: UntilPreparedDeps): Promise<void> {
  const isDue = createReminder(now);
  await store.opened().catch(() => undefined);
  while (!isStopping()) {
    try {
      return await prepare();
    } catch (error) {
      if (isDue((error as Error).message))
        logger[isMongoAway(error) ? 'warn' : 'error'](
          { event: 'database.unprepared', ...errorFields(error) },
          'migrations or indexes failed; trying again',
        );
      await sleep(againMs);
    }
  }
}
