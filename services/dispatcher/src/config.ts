import type { Config } from '@sluice/runtime/config/config';
import { tracingVariables, variables } from '@sluice/runtime/config/variables';

/** The environment variables that a dispatcher reads. */
export const dispatcherVariables = {
  HOST: variables.HOST,
  DISPATCHER_ADMIN_PORT: variables.DISPATCHER_ADMIN_PORT,
  REDIS_URL: variables.REDIS_URL,
  QUEUE_SHARDS: variables.QUEUE_SHARDS,
  MONGO_URL: variables.MONGO_URL,
  SLUICE_NAMESPACE: variables.SLUICE_NAMESPACE,
  SLUICE_SECRET_KEY: variables.SLUICE_SECRET_KEY,
  SLUICE_SECRET_KEYS_OLD: variables.SLUICE_SECRET_KEYS_OLD,
  DELIVERY_RETENTION_DAYS: variables.DELIVERY_RETENTION_DAYS,
  OUTBOUND_PRIVATE_NETWORKS: variables.OUTBOUND_PRIVATE_NETWORKS,
  OUTBOUND_ALLOW: variables.OUTBOUND_ALLOW,
  OUTBOUND_PROXY: variables.OUTBOUND_PROXY.optional(),
  SHUTDOWN_GRACE_SECONDS: variables.SHUTDOWN_GRACE_SECONDS,
  LOG_LEVEL: variables.LOG_LEVEL,
  ...tracingVariables,
};

export type DispatcherConfig = Config<typeof dispatcherVariables>;
