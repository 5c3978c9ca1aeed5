import { configOrExit } from '@sluice/runtime/config';
import { variables } from '@sluice/runtime/variables';

const shape = {
  HOST: variables.HOST,
  API_PORT: variables.API_PORT,
  API_ADMIN_PORT: variables.API_ADMIN_PORT,
  API_URL: variables.API_URL.optional(),
  EVENTS_URL: variables.EVENTS_URL.optional(),
  INGRESS_URL: variables.INGRESS_URL.optional(),
  INGRESS_PORT: variables.INGRESS_PORT,
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
  KEY_RATE_PER_MINUTE: variables.KEY_RATE_PER_MINUTE,
  PLANS: variables.PLANS,
  DELIVERY_RETENTION_DAYS: variables.DELIVERY_RETENTION_DAYS,
  DRAIN_MS: variables.DRAIN_MS,
  SHUTDOWN_GRACE_SECONDS: variables.SHUTDOWN_GRACE_SECONDS,
  LOG_LEVEL: variables.LOG_LEVEL,
};

/** What the API reads from its environment; addresses that are not set are those of a single machine. */
export function readConfig() {
  const config = configOrExit(shape);
  const EVENTS_URL = config.EVENTS_URL ?? `http://localhost:${config.INGRESS_PORT}`;
  return {
    ...config,
    EVENTS_URL,
    INGRESS_URL: config.INGRESS_URL ?? EVENTS_URL,
    API_URL: config.API_URL ?? `http://localhost:${config.API_PORT}`,
  };
}

export type ApiConfig = ReturnType<typeof readConfig>;
