import { type AdminServer, startAdminServer } from '@sluice/runtime/http/admin-server';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { METRICS_CONTENT_TYPE } from '@sluice/runtime/telemetry/metrics';
import { replicaMetrics } from './replica-metrics.ts';
import { allReady, PROBE_TIMEOUT_MS, type ReplicaAdmins } from './replica-readiness.ts';

export interface ReplicaAdminSettings {
  readonly replicas: ReplicaAdmins;
  readonly port: number;
  readonly host: string;
  readonly variable: string;
  /** SLUICE_NAMESPACE, a label of its metrics. */
  readonly namespace: string;
  readonly logger: Logger;
}

/** The probes of all replicas time out earlier, so that the response can name the slow one. */
const CHECK_MS = PROBE_TIMEOUT_MS + 500;

/** One admin port for all replicas of a service. It is ready when all are, and adds up their metrics. */
export function startReplicaAdmin({
  replicas,
  namespace,
  ...server
}: ReplicaAdminSettings): Promise<AdminServer> {
  return startAdminServer({
    ...server,
    checks: { [replicas.kind]: () => allReady(replicas) },
    checkTimeoutMs: CHECK_MS,
    metrics: { contentType: METRICS_CONTENT_TYPE, text: () => replicaMetrics(replicas, namespace) },
  });
}
