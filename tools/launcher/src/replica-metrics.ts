import { type MetricsJson, mergeMetrics } from '@sluice/runtime/telemetry/metrics';
import { SCRAPE_LOOK_MS } from '@sluice/runtime/telemetry/store-metrics';
import type { ReplicaAdmin, ReplicaAdmins } from './replica-readiness.ts';

/** A process waits for its slowest store first, and Prometheus cancels a scrape after 10 s. */
export const METRICS_TIMEOUT_MS = SCRAPE_LOOK_MS + 2500;

/** The kinds of metrics that only grow. They continue from their last value when the process answers again. */
const CUMULATIVE: readonly string[] = ['counter', 'histogram', 'summary'];

type Metric = MetricsJson[number];

interface Scraped {
  readonly admin: ReplicaAdmin;
  /** Undefined if the process did not answer. */
  readonly metrics: MetricsJson | undefined;
}

/** The summed metrics of all replicas, and for each process whether it answered. Never empty. */
export function createReplicaMetrics(replicas: ReplicaAdmins, namespace: string): () => Promise<string> {
  let last = new Map<string, MetricsJson>();

  return async () => {
    const scraped = await Promise.all(
      replicas.admins().map(async (admin) => ({ admin, metrics: await metricsOf(admin) })),
    );
    const shown = scraped.flatMap((one) => {
      const counted = one.admin.url === undefined ? undefined : last.get(one.admin.url);
      return [one.metrics ?? cumulative(counted ?? [])];
    });
    last = new Map(scraped.flatMap((one) => remembered(one, last)));
    const common = { service: replicas.kind, namespace };
    return mergeMetrics([...shown, [processUp(common, scraped), startTimes(common, scraped)]]);
  };
}

/** Otherwise the counts of a frozen process would leave the sums, and Prometheus would count them again when they return. */
function remembered(
  { admin: { url }, metrics }: Scraped,
  before: ReadonlyMap<string, MetricsJson>,
): [string, MetricsJson][] {
  const known = metrics ?? (url === undefined ? undefined : before.get(url));
  return url === undefined || known === undefined ? [] : [[url, known]];
}

function cumulative(metrics: MetricsJson): MetricsJson {
  return metrics.filter(({ type }) => CUMULATIVE.includes(String(type)));
}

function processUp(common: { service: string; namespace: string }, scraped: readonly Scraped[]): Metric {
  return {
    name: 'sluice_process_up',
    help: 'Whether this process of npm start answered when it was asked for its metrics.',
    type: 'gauge',
    aggregator: 'max',
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
    name: 'sluice_process_start_time_seconds',
    help: 'When this process of npm start began, in seconds since the Unix epoch.',
    type: 'gauge',
    aggregator: 'max',
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
