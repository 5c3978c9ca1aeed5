import { OUTCOMES } from '@sluice/contract/delivery/delivery';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import { CLOSED_REASONS } from '@sluice/ingress/gate/gate';
import { JOB_OPTIONS } from '@sluice/queue/catalog';
import { METRIC_SECTIONS } from '@sluice/runtime/telemetry/metric-catalog';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { recordingRules } from './alert-rules.ts';
import { parseExposition } from './exposition.ts';
import { groupedBy, selectedBy } from './promql.ts';

/** Labels that Prometheus adds to scraped metrics, and those of every metric or every histogram. */
const COMMON_LABELS = ['instance', 'service', 'namespace', 'le'];

/** The labels of `up`, the metric that Prometheus creates for each target. */
const PROMETHEUS_LABELS = ['job', 'instance'];

/** The values that a label may have. Labels that are not listed may have any value. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  // The last three are results of attempts to deliver a message (services/dispatcher/src/judge).
  code: ['ok', 'duplicate', ...Object.keys(PROBLEMS), 'delivered', 'no_secret', 'no_socket'],
  status: ['200', ...new Set(Object.values(PROBLEMS).map(({ status }) => String(status)))],
  queue: Object.keys(JOB_OPTIONS),
  reason: [...CLOSED_REASONS, 'backlog_full'],
  outcome: OUTCOMES,
  kind: ['ingress', 'worker', 'dispatcher', 'api', 'actions', 'refusals'],
  state: [
    'ready',
    'in_trouble',
    'waiting',
    'active',
    'delayed',
    'failed',
    'completed',
    'retrying',
    'failing',
    'paused',
  ],
  service: ['ingress', 'worker', 'dispatcher', 'api'],
};

let known: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

/** Maps each metric, of Sluice and of Node, to its labels. */
async function readMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { name } of parseExposition(await createMetrics({ service: 'test' }).text()).samples)
    found.set(name, []);
  found.set('up', PROMETHEUS_LABELS);
  for (const { record, labels } of recordingRules()) found.set(record, Object.keys(labels));
  for (const { name, type, labelNames } of Object.values(METRIC_SECTIONS).flat()) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes)
      found.set(name + suffix, [...labelNames, ...(found.get(name + suffix) ?? [])]);
  }
  return found;
}

/** The faults of an expression: it selects a metric, label or value that no process has. */
export async function faultsOf(expression: string): Promise<readonly string[]> {
  known ??= readMetrics();
  const metrics = await known;
  const faults: string[] = [];
  const labels = new Set(COMMON_LABELS);
  for (const { metric, matchers } of selectedBy(expression)) {
    const own = metrics.get(metric);
    if (own === undefined) faults.push(`no process says ${metric}`);
    for (const label of own ?? []) labels.add(label);
    for (const { label, operator, value } of matchers) {
      if (![...(own ?? []), ...COMMON_LABELS].includes(label)) faults.push(`${metric} has no label ${label}`);
      const matches = operator.includes('~') ? value.split('|') : [value];
      for (const one of matches) {
        const pattern = new RegExp(`^(?:${one})$`);
        if (VALUES[label]?.some((possible) => pattern.test(possible)) === false)
          faults.push(`${label} is never ${one}`);
      }
    }
  }
  return [
    ...faults,
    ...groupedBy(expression)
      .filter((label) => !labels.has(label))
      .map((label) => `no label ${label}`),
  ];
}
