import { type AdminServer, startAdminServer } from '@sluice/runtime/http/admin-server';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { METRICS_CONTENT_TYPE } from '@sluice/runtime/telemetry/metrics';
import { createReplicaMetrics } from './replica-metrics.ts';
import { allReady, PROBE_TIMEOUT_MS, type ReplicaAdmins } from './replica-readiness.ts';
import { type ReplicaWatchSettings, watchReplicas } from './replica-watch.ts';

export interface ReplicaAdminSettings {
  readonly replicas: ReplicaAdmins;
  readonly port: number;
  readonly host: string;
  readonly variable: string;
  /** SLUICE_NAMESPACE, a label of its metrics. */
  readonly namespace: string;
  readonly logger: Logger;
  /** The watch that notices a frozen process. */
  readonly watch?: Pick<ReplicaWatchSettings, 'everyMs' | 'misses'>;
}

/** The probes of all replicas time out earlier, so that the response can name the slow one. */
const CHECK_MS = PROBE_TIMEOUT_MS + 500;

/** One admin port for all replicas of a service. It is live and ready when all are, and adds up their metrics. */
export async function startReplicaAdmin({
  replicas,
  port,
  host,
  variable,
  namespace,
  logger,
  watch: watchSettings = {},
}: ReplicaAdminSettings): Promise<AdminServer> {
  const watch = watchReplicas({ replicas, logger, ...watchSettings });
  try {
    const server = await startAdminServer({
      port,
      host,
      variable,
      logger,
      checks: { [replicas.kind]: () => allReady(replicas) },
      checkTimeoutMs: CHECK_MS,
      notLive: watch.trouble,
      metrics: { contentType: METRICS_CONTENT_TYPE, text: createReplicaMetrics(replicas, namespace) },
    });
    return {
      ...server,
      close: () => {
        watch.stop();
        return server.close();
      },
    };
  } catch (error) {
    watch.stop();
    throw error;
  }
}
