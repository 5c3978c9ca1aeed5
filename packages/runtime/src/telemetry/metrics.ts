import { readdirSync } from 'node:fs';
import {
  AggregatorRegistry,
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type MetricObject,
  Registry,
} from 'prom-client';
import { revisionOfSluice, versionOfSluice } from '../version.ts';
import { PROCESS_METRICS } from './metric-catalog.ts';

export type { Counter, Gauge, Histogram };

type Settings<C> = Omit<C, 'registers'>;

/** The metrics of one process, in a separate registry. */
export interface Metrics {
  counter<L extends string>(settings: Settings<CounterConfiguration<L>>): Counter<L>;
  /** `read`: its value, asked for at each scrape. Absent: `settings.collect` or its caller sets it. */
  gauge<L extends string>(
    settings: Settings<GaugeConfiguration<L>>,
    read?: () => number | Promise<number>,
  ): Gauge<L>;
  histogram<L extends string>(settings: Settings<HistogramConfiguration<L>>): Histogram<L>;
  readonly contentType: string;
  /** The Prometheus text format. */
  text(): Promise<string>;
  /** The same metrics as data, so that `mergeMetrics` can add up several processes. */
  json(): Promise<MetricsJson>;
}

/** The content type of the Prometheus text format. */
export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export type MetricsJson = readonly MetricObject[];

/**
 * Wraps prom-client, without its global registry. No other file imports it. Every metric has the labels `service` and `namespace`
 * (SLUICE_NAMESPACE), so that one Prometheus can watch several installations.
 */
export function createMetrics({
  service,
  namespace = 'sluice',
}: {
  service: string;
  namespace?: string;
}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service, namespace });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  countOpenFiles(registry);
  new Gauge({
    ...PROCESS_METRICS.sluice_build_info,
    registers,
  }).set({ version: versionOfSluice(), revision: revisionOfSluice(), node_version: process.version }, 1);
  return {
    counter: (settings) => new Counter({ ...settings, registers }),
    gauge<L extends string>(
      settings: Settings<GaugeConfiguration<L>>,
      read?: () => number | Promise<number>,
    ) {
      async function collect(this: Gauge<L>): Promise<void> {
        if (read !== undefined) this.set(await read());
      }
      return new Gauge({ ...settings, registers, ...(read !== undefined && { collect }) });
    },
    histogram: (settings) => new Histogram({ ...settings, registers }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    json: async () => (await registry.getMetricsAsJSON()) as unknown as MetricsJson,
  };
}

/**
 * Replaces the gauge of the library, which keeps its last value when no file descriptor is left to count the others with: then all are
 * open. Only Linux has these metrics.
 */
function countOpenFiles(registry: Registry): void {
  const name = 'process_open_fds';
  const max = registry.getSingleMetric('process_max_fds');
  if (max === undefined || registry.getSingleMetric(name) === undefined) return;
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'Number of open file descriptors.',
    registers: [registry],
    async collect() {
      try {
        // One of them reads the folder.
        this.set(readdirSync('/proc/self/fd').length - 1);
      } catch {
        this.set((await max.get()).values[0]?.value ?? Number.NaN);
      }
    },
  });
}

/**
 * Merges the metrics of several replicas: counters and histograms add up. Accepts the result of `json`, or the parsed text
 * of `writeMetrics`.
 */
export async function mergeMetrics(replicas: readonly MetricsJson[]): Promise<string> {
  const known = withoutUnknown(replicas.map(readNumbers));
  return AggregatorRegistry.aggregate(known as unknown as object[]).metrics();
}

/** Metrics as the registry returns them. Its library's type omits the values. */
type RegistryMetrics = readonly { readonly name: string }[];
type WithValues = RegistryMetrics[number] & { readonly values: readonly Sample[] };
type Sample = { readonly value: unknown; readonly labels: object; readonly metricName?: string };

/** Writes NaN and infinity as strings: JSON lacks them, and JSON.stringify would write null. */
export function writeMetrics(metrics: RegistryMetrics): string {
  return JSON.stringify(metrics, (_key, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

/** Restores the numbers of metrics that `writeMetrics` wrote and JSON.parse read. */
function readNumbers<M extends RegistryMetrics>(metrics: M): M {
  return mapSamples(metrics, (samples) => samples.map((one) => ({ ...one, value: Number(one.value) })));
}

/**
 * Drops a NaN when another replica knows the number: one replica without Redis must not hide the numbers of the others.
 * A NaN of all replicas stays.
 */
function withoutUnknown<M extends RegistryMetrics>(replicas: readonly M[]): readonly M[] {
  const all = replicas.flat() as object[] as readonly WithValues[];
  if (!all.some(({ values }) => values.some(({ value }) => Number.isNaN(value)))) return replicas;
  const known = new Set<string>();
  for (const { name, values } of all)
    for (const sample of values) if (!Number.isNaN(sample.value)) known.add(seriesOf(name, sample));
  return replicas.map((metrics) =>
    mapSamples(metrics, (samples, name) =>
      samples.filter((one) => !Number.isNaN(one.value) || !known.has(seriesOf(name, one))),
    ),
  );
}

function seriesOf(name: string, { metricName, labels }: Sample): string {
  return JSON.stringify([metricName ?? name, Object.entries(labels).sort()]);
}

function mapSamples<M extends RegistryMetrics>(
  metrics: M,
  change: (samples: readonly Sample[], name: string) => readonly Sample[],
): M {
  return (metrics as object as readonly WithValues[]).map((metric) => ({
    ...metric,
    values: change(metric.values, metric.name),
  })) as object as M;
}
