import { describeProblems, loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { failed } from './exit-codes.ts';

/** The limits of this installation. Set them as for the services. Throws if one is invalid. */
export function configuredLimits(env: NodeJS.ProcessEnv) {
  const {
    RATE_LIMIT_PER_SECOND,
    RATE_LIMIT_BURST,
    BAD_SIGNATURES_PER_MINUTE,
    PLANS,
    BACKLOG_LIMIT,
    SUBSCRIPTION_LIMIT,
    OUTBOUND_PRIVATE_NETWORKS,
  } = variables;
  const loaded = loadConfig(
    {
      ...{ RATE_LIMIT_PER_SECOND, RATE_LIMIT_BURST, BAD_SIGNATURES_PER_MINUTE, PLANS },
      ...{ BACKLOG_LIMIT, SUBSCRIPTION_LIMIT, OUTBOUND_PRIVATE_NETWORKS },
    },
    env,
  );
  if (!loaded.ok) throw failed(describeProblems(loaded.problems).trimEnd());
  return loaded.config;
}

export type Limits = ReturnType<typeof configuredLimits>;
