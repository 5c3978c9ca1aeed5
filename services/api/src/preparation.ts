import type { Plans } from '@sluice/contract/account/plans';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Store } from '@sluice/store/connect';
import { prepareDatabase } from '@sluice/store/prepare-database';
import { untilPrepared } from '@sluice/store/until-prepared';

interface PreparationDeps {
  readonly store: Store;
  readonly plans: Plans;
  readonly logger: Logger;
  readonly refuse: Refuse;
}

/** The database's migrations and indexes, as this API makes them. */
interface Preparation {
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

interface UnknownPlansDeps {
  readonly accounts: Pick<Accounts, 'plansInUse'>;
  readonly plans: Plans;
  readonly logger: { warn(fields: object, message: string): void };
}

/**
 * Warns about plans that accounts have but PLANS does not list. Such accounts have no limit, because a changed
 * configuration must not stop events. But an operator who removed a plan, or mistyped its name, should know.
 */
async function warnOfUnknownPlans({ accounts, plans, logger }: UnknownPlansDeps): Promise<void> {
  for (const plan of await accounts.plansInUse())
    if (!plans.has(plan))
      logger.warn(
        { event: 'plan.unknown', plan },
        `Accounts have the plan "${plan}", which PLANS does not list. They have no limit. Add the plan to PLANS, or move the accounts to another plan (sluice account set-plan).`,
      );
}
