import { configOrExit, type Environment } from '@sluice/runtime/config/config';
import { admittingVariables, tracingVariables, variables } from '@sluice/runtime/config/variables';

/** The environment variables that an ingress reads. */
export const ingressVariables = {
  ...admittingVariables,
  INGRESS_PORT: variables.INGRESS_PORT,
  INGRESS_ADMIN_PORT: variables.INGRESS_ADMIN_PORT,
  API_URL: variables.API_URL.optional(),
  INGRESS_HTTP_READER: variables.INGRESS_HTTP_READER,
  BACKLOG_LIMIT: variables.BACKLOG_LIMIT,
  PACK_FROM_GROUPS: variables.PACK_FROM_GROUPS,
  REDIS_MEMORY_LIMIT_PERCENT: variables.REDIS_MEMORY_LIMIT_PERCENT,
  ...tracingVariables,
};

/** Reads the variables of the ingress. */
export function readConfig(env: Environment = process.env) {
  return configOrExit(ingressVariables, env);
}

export type IngressConfig = ReturnType<typeof readConfig>;
