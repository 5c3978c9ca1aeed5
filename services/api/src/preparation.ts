import type { Plans } from '@sluice/contract/plans';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
import { prepareDatabase } from '@sluice/store/prepare-database';
import { untilPrepared } from '@sluice/store/until-prepared';
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

/** Only the unique index keeps two users from having the same email: the API is not ready before it exists. */
export function createPreparation({ store, plans, logger, refuse }: PreparationDeps): Preparation {
  let done = false;

  async function prepare(): Promise<void> {
    await prepareDatabase({ store, logger, refuse });
    await warnOfUnknownPlans({ ...store, plans, logger });
  }

  return {
    done: () => done,
    async run() {
      await untilPrepared({ store, logger, prepare });
      done = true;
    },
  };
}
