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
import { readNumbers, withoutUnknown } from './metric-numbers.ts';

export { writeMetrics } from './metric-numbers.ts';
export type { Counter, Gauge, Histogram };

type Settings<C> = Omit<C, 'registers'>;

/** The metrics of one process, in a separate registry. */
export interface Metrics {
  counter<L extends string>(settings: Settings<CounterConfiguration<L>>): Counter<L>;
  gauge<L extends string>(settings: Settings<GaugeConfiguration<L>>): Gauge<L>;
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
    name: 'sluice_build_info',
    help: 'Always 1; the labels say which version runs on which Node.',
    labelNames: ['version', 'revision', 'node_version'],
    aggregator: 'max',
    registers,
  }).set({ version: versionOfSluice(), revision: revisionOfSluice(), node_version: process.version }, 1);
  return {
    counter: (settings) => new Counter({ ...settings, registers }),
    gauge: (settings) => new Gauge({ ...settings, registers }),
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
