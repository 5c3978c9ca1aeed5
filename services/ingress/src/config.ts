import { configOrExit } from '@sluice/runtime/config';
import { tracingVariables, variables } from '@sluice/runtime/variables';

/** What the ingress reads from its environment. */
export function readConfig() {
  return configOrExit({
    HOST: variables.HOST,
    INGRESS_PORT: variables.INGRESS_PORT,
    INGRESS_ADMIN_PORT: variables.INGRESS_ADMIN_PORT,
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
    BACKLOG_LIMIT: variables.BACKLOG_LIMIT,
    REDIS_MEMORY_LIMIT_PERCENT: variables.REDIS_MEMORY_LIMIT_PERCENT,
    DRAIN_MS: variables.DRAIN_MS,
    SHUTDOWN_GRACE_SECONDS: variables.SHUTDOWN_GRACE_SECONDS,
    LOG_LEVEL: variables.LOG_LEVEL,
    ...tracingVariables,
  });
}

export type IngressConfig = ReturnType<typeof readConfig>;
