import { START_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import { type MetricsJson, mergeMetrics } from '@sluice/runtime/telemetry/metrics';
import { SCRAPE_LOOK_MS } from '@sluice/runtime/telemetry/store-metrics';
import type { ReplicaAdmin, ReplicaAdmins } from './replica-readiness.ts';

/** A process waits for its slowest store first, and Prometheus cancels a scrape after 10 s. */
const METRICS_TIMEOUT_MS = SCRAPE_LOOK_MS + 2500;

type Metric = MetricsJson[number];

interface Scraped {
  readonly admin: ReplicaAdmin;
  /** Undefined if the process did not answer. */
  readonly metrics: MetricsJson | undefined;
}

/** The summed metrics of all replicas, and for each process whether it answered. Never empty. */
export async function replicaMetrics(replicas: ReplicaAdmins, namespace: string): Promise<string> {
  const scraped = await Promise.all(
    replicas.admins().map(async (admin) => ({ admin, metrics: await metricsOf(admin) })),
  );
  const common = { service: replicas.kind, namespace };
  const answered = scraped.flatMap(({ metrics }) => (metrics === undefined ? [] : [metrics]));
  return mergeMetrics([...answered, [processUp(common, scraped), startTimes(common, scraped)]]);
}

function processUp(common: { service: string; namespace: string }, scraped: readonly Scraped[]): Metric {
  return {
    ...START_METRICS.sluice_process_up,
    values: scraped.map(({ admin, metrics }) => ({
      value: Number(metrics !== undefined),
      labels: { process: admin.name, ...common },
    })),
  } as unknown as Metric;
}

/** The sum of start times would mean nothing, so prom-client omits them. */
function startTimes(common: { service: string; namespace: string }, scraped: readonly Scraped[]): Metric {
  const startOf = ({ metrics = [] }: Scraped) =>
    metrics.find(({ name }) => name === 'process_start_time_seconds') as
      | { values: { value: number }[] }
      | undefined;
  return {
    ...START_METRICS.sluice_process_start_time_seconds,
    values: scraped.flatMap((one) =>
      (startOf(one)?.values ?? []).map(({ value }) => ({
        value,
        labels: { process: one.admin.name, ...common },
      })),
    ),
  } as unknown as Metric;
}

async function metricsOf({ url }: ReplicaAdmin): Promise<MetricsJson | undefined> {
  if (url === undefined) return undefined;
  try {
    const response = await fetch(`${url}/metrics.json`, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
    return response.ok ? ((await response.json()) as MetricsJson) : undefined;
  } catch {
    return undefined;
  }
}
