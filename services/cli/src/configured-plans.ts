import type { Plans } from '@sluice/contract/plans';
import { describeProblems, loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { failed } from './exit-codes.ts';

/** The plans of this installation (PLANS). */
export function configuredPlans(env: NodeJS.ProcessEnv): Plans {
  const loaded = loadConfig({ PLANS: variables.PLANS }, env);
  if (!loaded.ok) throw failed(describeProblems(loaded.problems).trimEnd());
  return loaded.config.PLANS;
}
