import type { Plans } from '@sluice/contract/account/plans';
import { type ConfigShape, describeProblems, loadConfig } from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { failed } from './exit-codes.ts';

/** Reads variables as the services do. Throws if one is invalid. */
function configured<S extends ConfigShape>(shape: S, env: NodeJS.ProcessEnv) {
  const loaded = loadConfig(shape, env);
  if (!loaded.ok) throw failed(describeProblems(loaded.problems).trimEnd());
  return loaded.config;
}

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
    OUTBOUND_ALLOW,
  } = variables;
  return configured(
    {
      ...{ RATE_LIMIT_PER_SECOND, RATE_LIMIT_BURST, BAD_SIGNATURES_PER_MINUTE, PLANS },
      ...{ BACKLOG_LIMIT, SUBSCRIPTION_LIMIT, OUTBOUND_PRIVATE_NETWORKS, OUTBOUND_ALLOW },
    },
    env,
  );
}

export type Limits = ReturnType<typeof configuredLimits>;

/** From where calendar feeds may come, as the API server reads it. Throws if it is invalid. */
export function configuredFeeds(env: NodeJS.ProcessEnv) {
  const { FEED_PRIVATE_NETWORKS, FEED_ALLOW } = variables;
  return configured({ FEED_PRIVATE_NETWORKS, FEED_ALLOW }, env);
}

/** The mail server of this installation (SMTP_URL) and the sender. Throws if they are invalid. */
export function configuredMail(env: NodeJS.ProcessEnv) {
  const { SMTP_URL, MAIL_FROM } = variables;
  return configured({ SMTP_URL: SMTP_URL.optional(), MAIL_FROM: MAIL_FROM.optional() }, env);
}

/** The plans of this installation (PLANS). */
export function configuredPlans(env: NodeJS.ProcessEnv): Plans {
  return configured({ PLANS: variables.PLANS }, env).PLANS;
}
