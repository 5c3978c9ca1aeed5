import type { Plans } from '@sluice/contract/plans';
import type { Accounts } from '@sluice/store/accounts/accounts';

export interface UnknownPlansDeps {
  readonly accounts: Pick<Accounts, 'plansInUse'>;
  readonly plans: Plans;
  readonly logger: { warn(fields: object, message: string): void };
}

/**
 * Warns about plans that accounts have but PLANS does not list. Such accounts have no limit, because a changed
 * configuration must not stop events. But an operator who removed a plan, or mistyped its name, should know.
 */
export async function warnOfUnknownPlans({ accounts, plans, logger }: UnknownPlansDeps): Promise<void> {
  for (const plan of await accounts.plansInUse())
    if (!plans.has(plan))
      logger.warn(
        { event: 'plan.unknown', plan },
        `Accounts have the plan "${plan}", which PLANS does not list. They have no limit. Add the plan to PLANS, or move the accounts to another plan (sluice account set-plan).`,
      );
}
