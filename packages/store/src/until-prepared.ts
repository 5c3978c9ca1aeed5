import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from './connect.ts';
import { toldOf } from './connection/mongo-refusal.ts';

export interface UntilPreparedDeps {
  readonly store: Pick<Store, 'opened'>;
  /** One try. Idempotent. */
  readonly prepare: () => Promise<void>;
  readonly logger: { warn(fields: object, message: string): void };
  /** Ends the tries. Absent: only success does. */
  readonly isStopping?: () => boolean;
  /** From a failed try to the next one. Milliseconds. */
  readonly againMs?: number;
}

const AGAIN_MS = 1000;

/** Prepares the database, and tries again until it has worked or the process stops. Logs each new reason once. */
export async function untilPrepared({
  store,
  prepare,
  logger,
  isStopping = () => false,
  againMs = AGAIN_MS,
}: UntilPreparedDeps): Promise<void> {
  let loggedReason: string | undefined;
  await store.opened().catch(() => undefined);
  while (!isStopping()) {
    try {
      return await prepare();
    } catch (error) {
      const reason = (error as Error).message;
      if (reason !== loggedReason)
        logger.warn(
          { event: 'database.unprepared', ...toldOf(error) },
          'migrations or indexes failed; trying again',
        );
      loggedReason = reason;
      await sleep(againMs);
    }
  }
}
