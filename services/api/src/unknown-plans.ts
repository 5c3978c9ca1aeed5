import type { Plans } from '@sluice/contract/plans';
import type { Accounts } from '@sluice/store/accounts';

export interface UnknownPlansDeps {
  readonly accounts: Pick<Accounts, 'plansInUse'>;
  readonly plans: Plans;
  readonly logger: { warn(fields: object, message: string): void };
}

/**
 * Says which plans accounts have that PLANS does not name. They go on without a limit, as a changed configuration must stop
 * nobody's events; but whoever took a plan out of it, or mistyped its name, should know.
 */
export async function warnOfUnknownPlans({ accounts, plans, logger }: UnknownPlansDeps): Promise<void> {
  for (const plan of await accounts.plansInUse())
    if (!plans.has(plan))
      logger.warn(
        { event: 'plan.unknown', plan },
        `PLANS does not name "${plan}", which accounts have: nothing limits them. Name it there, or give them another (sluice account set-plan).`,
      );
}
