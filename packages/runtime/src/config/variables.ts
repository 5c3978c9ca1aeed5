import { addressVariables, mailVariables } from './variables/addresses.ts';
import { limitVariables } from './variables/limits.ts';
import { storeVariables } from './variables/stores.ts';
import { traceVariables } from './variables/traces.ts';
import { npmStartVariables, workVariables } from './variables/work.ts';

/**
 * The catalog of all environment variables, one file for each group in `variables/`. A process picks those it needs:
 * `configOrExit({ REDIS_URL: variables.REDIS_URL, … })`. For each there is also NAME_FILE, the path of a file
 * with the value (Docker secrets). An empty value counts as not set.
 */
export const variables = {
  ...addressVariables,
  ...storeVariables,
  ...limitVariables,
  ...mailVariables,
  ...workVariables,
  ...traceVariables,
  ...npmStartVariables,
} as const;

export type VariableName = keyof typeof variables;

/** The variables of each process that admits actions: the ingress, and the API for actions from the dashboard. */
export const admittingVariables = {
  HOST: variables.HOST,
  TRUST_PROXY: variables.TRUST_PROXY,
  REDIS_URL: variables.REDIS_URL,
  REDIS_WAIT_REPLICAS: variables.REDIS_WAIT_REPLICAS,
  QUEUE_SHARDS: variables.QUEUE_SHARDS,
  MONGO_URL: variables.MONGO_URL,
  SLUICE_NAMESPACE: variables.SLUICE_NAMESPACE,
  SLUICE_SECRET_KEY: variables.SLUICE_SECRET_KEY,
  SLUICE_SECRET_KEYS_OLD: variables.SLUICE_SECRET_KEYS_OLD,
  RATE_LIMIT_PER_SECOND: variables.RATE_LIMIT_PER_SECOND,
  RATE_LIMIT_BURST: variables.RATE_LIMIT_BURST,
  BAD_SIGNATURES_PER_MINUTE: variables.BAD_SIGNATURES_PER_MINUTE,
  PLANS: variables.PLANS,
  DRAIN_MS: variables.DRAIN_MS,
  SHUTDOWN_GRACE_SECONDS: variables.SHUTDOWN_GRACE_SECONDS,
  LOG_LEVEL: variables.LOG_LEVEL,
} as const;

/** The variables of a process that records traces. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variables.OTEL_EXPORTER_OTLP_ENDPOINT.optional(),
  OTEL_SERVICE_NAME: variables.OTEL_SERVICE_NAME.optional(),
  OTEL_TRACES_SAMPLER: variables.OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG: variables.OTEL_TRACES_SAMPLER_ARG,
} as const;
