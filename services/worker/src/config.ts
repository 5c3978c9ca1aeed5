import type { Config } from '@sluice/runtime/config/config';
import { tracingVariables, variables } from '@sluice/runtime/config/variables';

/** The environment variables that a worker reads. */
export const workerVariables = {
  HOST: variables.HOST,
  WORKER_ADMIN_PORT: variables.WORKER_ADMIN_PORT,
  REDIS_URL: variables.REDIS_URL,
  QUEUE_SHARDS: variables.QUEUE_SHARDS,
  MONGO_URL: variables.MONGO_URL,
  SLUICE_NAMESPACE: variables.SLUICE_NAMESPACE,
  WORKER_CONCURRENCY: variables.WORKER_CONCURRENCY,
  DELIVERY_RETENTION_DAYS: variables.DELIVERY_RETENTION_DAYS,
  TOMBSTONE_DAYS: variables.TOMBSTONE_DAYS,
  SHUTDOWN_GRACE_SECONDS: variables.SHUTDOWN_GRACE_SECONDS,
  LOG_LEVEL: variables.LOG_LEVEL,
  ...tracingVariables,
} as const;

export type WorkerConfig = Config<typeof workerVariables>;
