import { configOrExit, type Environment } from '@sluice/runtime/config/config';
import { admittingVariables, variables } from '@sluice/runtime/config/variables';

/** The environment variables that an API server reads. */
export const apiVariables = {
  ...admittingVariables,
  API_PORT: variables.API_PORT,
  API_ADMIN_PORT: variables.API_ADMIN_PORT,
  API_URL: variables.API_URL.optional(),
  EVENTS_URL: variables.EVENTS_URL.optional(),
  INGRESS_URL: variables.INGRESS_URL.optional(),
  INGRESS_PORT: variables.INGRESS_PORT,
  KEY_RATE_PER_MINUTE: variables.KEY_RATE_PER_MINUTE,
  KEY_RATE_BURST: variables.KEY_RATE_BURST,
  SUBSCRIPTION_LIMIT: variables.SUBSCRIPTION_LIMIT,
  BACKLOG_LIMIT: variables.BACKLOG_LIMIT,
  DELIVERY_RETENTION_DAYS: variables.DELIVERY_RETENTION_DAYS,
  FEED_PRIVATE_NETWORKS: variables.FEED_PRIVATE_NETWORKS,
  FEED_ALLOW: variables.FEED_ALLOW,
  OUTBOUND_PRIVATE_NETWORKS: variables.OUTBOUND_PRIVATE_NETWORKS,
  OUTBOUND_ALLOW: variables.OUTBOUND_ALLOW,
  ENVIRONMENT_NAME: variables.ENVIRONMENT_NAME.optional(),
  SMTP_URL: variables.SMTP_URL.optional(),
  MAIL_FROM: variables.MAIL_FROM.optional(),
};

/** Reads the variables of an API server. Unset addresses default to those of a single machine. */
export function readConfig(env: Environment = process.env) {
  const config = configOrExit(apiVariables, env);
  const EVENTS_URL = config.EVENTS_URL ?? `http://localhost:${config.INGRESS_PORT}`;
  return {
    ...config,
    EVENTS_URL,
    INGRESS_URL: config.INGRESS_URL ?? EVENTS_URL,
    API_URL: config.API_URL ?? `http://localhost:${config.API_PORT}`,
  };
}

export type ApiConfig = ReturnType<typeof readConfig>;
