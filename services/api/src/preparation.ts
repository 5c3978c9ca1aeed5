import { setTimeout as pause } from 'node:timers/promises';
import type { Plans } from '@sluice/contract/plans';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
import { toldOf } from '@sluice/store/mongo-refusal';
import { prepareDatabase } from '@sluice/store/prepare-database';
import { warnOfUnknownPlans } from './unknown-plans.ts';

export interface PreparationDeps {
  readonly store: Store;
  readonly plans: Plans;
  readonly logger: Logger;
  readonly refuse: Refuse;
}

/** The database's migrations and indexes, as this API makes them. */
export interface Preparation {
  done(): boolean;
  /** Resolves when the database is prepared. Tries again once a second until then. */
  run(): Promise<void>;
}

const PREPARE_AGAIN_MS = 1000;

/** Only the unique index keeps two users from having the same email: the API is not ready before it exists. */
export function createPreparation({ store, plans, logger, refuse }: PreparationDeps): Preparation {
  let done = false;
  let loggedReason: string | undefined;

  function warn(error: unknown): void {
    const reason = (error as Error).message;
    if (reason !== loggedReason)
      logger.warn(
        { event: 'database.unprepared', ...toldOf(error) },
        'migrations or indexes failed; trying again',
      );
    loggedReason = reason;
  }

  return {
    done: () => done,
    async run() {
      await store.opened().catch(() => undefined);
      while (!done) {
        try {
          await prepareDatabase({ store, logger, refuse });
          await warnOfUnknownPlans({ ...store, plans, logger });
          done = true;
        } catch (error) {
          warn(error);
          await pause(PREPARE_AGAIN_MS);
        }
      }
    },
  };
}
