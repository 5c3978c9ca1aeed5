import { readFileSync } from 'node:fs';
import { OUTCOMES } from '@sluice/contract/delivery';
import { PROBLEMS } from '@sluice/contract/problem';
import { CLOSED_REASONS } from '@sluice/ingress/gate/gate';
import { JOB_OPTIONS } from '@sluice/queue/catalog';
import { createMetrics } from '@sluice/runtime/metrics';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ROOT, readPage } from '../docs/support.ts';
import { parseExposition } from './support/exposition.ts';
import { documentedMetrics } from './support/metrics-page.ts';
import { parsePromql } from './support/promql.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly datasource?: object;
  readonly targets?: readonly { readonly expr: string; readonly datasource?: object }[];
}

const RULES_PATH = 'deploy/prometheus/alerts.yml';
const rules = parse(readFileSync(ROOT + RULES_PATH, 'utf8')).groups.flatMap(
  ({ rules: found }: { rules: Rule[] }) => found,
) as Rule[];
const board = JSON.parse(readFileSync(`${ROOT}deploy/grafana/sluice.json`, 'utf8'));
const panels = board.panels as Panel[];

/** Labels that Prometheus adds to what it scrapes, and those that every metric or every histogram has. */
const COMMON_LABELS = ['instance', 'service', 'le'];

/** The values that a label may have; those of other labels are not known beforehand. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  code: ['ok', 'duplicate', ...Object.keys(PROBLEMS)],
  status: ['200', ...new Set(Object.values(PROBLEMS).map(({ status }) => String(status)))],
  queue: Object.keys(JOB_OPTIONS),
  reason: [...CLOSED_REASONS, 'backlog_full'],
  outcome: OUTCOMES,
  kind: ['ingress', 'worker', 'api', 'actions', 'refusals'],
  state: ['ready', 'in_trouble', 'waiting', 'active', 'delayed', 'failed', 'completed'],
  service: ['ingress', 'worker', 'api'],
};

/** Metric -> its labels, of our own metrics and of Node's. */
async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>();
  for (const { name } of parseExposition(await createMetrics({ service: 'test' }).text()).samples)
    known.set(name, []);
  for (const { name, type, labels } of [...documentedMetrics().values()].flat()) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) known.set(name + suffix, [...labels, ...(known.get(name + suffix) ?? [])]);
  }
  return known;
}

/** What is wrong with an expression: it does not parse, or asks for what no process says. */
async function faultsOf(expression: string): Promise<readonly string[]> {
  const known = await knownMetrics();
  const { errors, selected, grouped } = parsePromql(expression.replaceAll('$__rate_interval', '5m'));
  const faults = errors.map((error) => `not PromQL: ${error}`);
  const labels = new Set(COMMON_LABELS);
  for (const { metric, matchers } of selected) {
    const own = known.get(metric);
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
  return [...faults, ...grouped.filter((label) => !labels.has(label)).map((label) => `no label ${label}`)];
}

describe('the check of an expression', () => {
  it('finds what is not PromQL, and what no process says', async () => {
    expect(await faultsOf('sum(rate(webhook_requests_total[5m]))')).to.deep.equal([]);
    for (const wrong of [
      'sum(rate(webhook_requests_total[5m])',
      'webhook_request_total',
      'http_request_duration_seconds',
      'webhook_requests_total{source="x"}',
      'webhook_requests_total{code=~"ok|okay"}',
      'sum by (source) (webhook_requests_total)',
    ])
      expect(await faultsOf(wrong), wrong).to.have.length.above(0);
  });
});

describe('the alert rules', () => {
  for (const { alert, expr, labels, annotations, ...rest } of rules) {
    it(`${alert} is a rule of Prometheus about metrics that exist`, async () => {
      expect(await faultsOf(expr)).to.deep.equal([]);
      expect(Object.keys(rest).filter((key) => key !== 'for')).to.deep.equal([]);
      if (rest.for !== undefined) expect(rest.for).to.match(/^\d+m$/);
      expect(['critical', 'warning']).to.include(labels.severity);
      // A variable or function that the template does not know would be seen only when it fires.
      const templates = [...annotations.summary.matchAll(/\{\{(.*?)\}\}/g)].map(([, template]) => template);
      for (const template of templates)
        expect(template).to.match(/^ \$(labels\.\w+|value( \| humanize(Percentage|Duration)?)?) $/);
    });

    it(`${alert} has a paragraph in docs/operations.md that says what to do`, () => {
      expect(annotations.runbook).to.equal(`docs/operations.md#${alert.toLowerCase()}`);
      const paragraph = readPage('docs/operations.md').split(`### ${alert}\n`)[1]?.split(/^#/m)[0];
      expect(paragraph?.trim(), alert).to.match(/\*\*Means\*\*.*\*\*Do\*\*/s);
    });
  }

  it('are all that docs/operations.md has paragraphs for, each once', () => {
    const paragraphs = [...readPage('docs/operations.md').matchAll(/^### (Sluice\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(paragraphs).to.deep.equal(rules.map(({ alert }) => alert));
  });
});

describe('the Grafana board', () => {
  it('asks any Prometheus that it is given, and has an address that stays', () => {
    expect(board).to.include({ uid: 'sluice', title: 'Sluice' });
    expect(board.templating.list[0]).to.include({
      name: 'datasource',
      type: 'datasource',
      query: 'prometheus',
    });
    const asked = panels.flatMap(({ datasource, targets = [] }) => [
      datasource,
      ...targets.map((one) => one.datasource),
    ]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
    for (const datasource of asked.filter((one) => one !== undefined))
      expect(datasource).to.deep.equal({ type: 'prometheus', uid: '${datasource}' });
  });

  it('has panels that each have a place of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    for (const [index, { gridPos: a, title }] of panels.entries()) {
      expect(a.x + a.w, title).to.be.at.most(24);
      const over = panels.slice(index + 1).filter(({ gridPos: b }) => {
        const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
        return !apart;
      });
      expect(over.map((other) => `${title} lies over ${other.title}`)).to.deep.equal([]);
    }
  });

  for (const { title, targets, fieldConfig } of panels.filter(({ type }) => type !== 'row')) {
    it(`shows what exists: ${title}`, async () => {
      expect(targets).to.have.length.above(0);
      expect(fieldConfig?.defaults.unit).to.be.a('string');
      for (const { expr } of targets ?? []) expect(await faultsOf(expr), expr).to.deep.equal([]);
    });
  }

  it('shows every metric of our own', () => {
    const shown = new Set(
      panels
        .flatMap(({ targets = [] }) =>
          targets.flatMap(({ expr }) => parsePromql(expr.replaceAll('$__rate_interval', '5m')).selected),
        )
        .map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')),
    );
    const own = [...documentedMetrics().values()].flat().map(({ name }) => name.replace(/_count$/, ''));
    expect(own.filter((name) => !shown.has(name))).to.deep.equal([]);
  });
});
