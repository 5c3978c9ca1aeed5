import { type AdminServer, startAdminServer } from '@sluice/runtime/admin-server';
import type { Logger } from '@sluice/runtime/logger';
import { createMetrics, type MetricsJson, mergeMetrics } from '@sluice/runtime/metrics';
import { allReady, PROBE_TIMEOUT_MS, type ReplicaAdmins } from './replica-readiness.ts';

export interface ReplicaAdminSettings {
  readonly replicas: ReplicaAdmins;
  readonly port: number;
  readonly host: string;
  readonly variable: string;
  readonly logger: Logger;
}

/** One admin port for all replicas of a service: ready when all are, metrics added up. */
export function startReplicaAdmin({
  replicas,
  port,
  host,
  variable,
  logger,
}: ReplicaAdminSettings): Promise<AdminServer> {
  const { contentType } = createMetrics({ service: 'launcher' });
  return startAdminServer({
    port,
    host,
    variable,
    logger,
    checks: { [replicas.kind]: () => allReady(replicas) },
    metrics: { contentType, text: () => mergedMetrics(replicas) },
  });
}

async function mergedMetrics(replicas: ReplicaAdmins): Promise<string> {
  const answers = await Promise.all(replicas.admins().map(({ url }) => metricsOf(url)));
  return mergeMetrics(answers.filter((answer) => answer !== undefined));
}

/** A replica that is just being replaced has no metrics; those of the others are still worth showing. */
async function metricsOf(url: string | undefined): Promise<MetricsJson | undefined> {
  if (url === undefined) return undefined;
  try {
    const response = await fetch(`${url}/metrics.json`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return response.ok ? ((await response.json()) as MetricsJson) : undefined;
  } catch {
    return undefined;
  }
}
