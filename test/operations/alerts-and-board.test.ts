// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tested text contains Grafana variables
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRIC_SECTIONS } from '@sluice/runtime/telemetry/metric-catalog';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { readComposeFile } from '../compose/support/compose-file.ts';
import { imageEnvironment } from '../compose/support/dockerfile.ts';
import { ROOT, readPage } from '../docs/support.ts';
import { newFolder } from '../support/folder.ts';
import { alertRules, RULES_PATH, recordingRules } from './support/alert-rules.ts';
import { faultsOf } from './support/expression-faults.ts';
import { keptBy, selectedBy } from './support/promql.ts';
import { itWithPromtool, promtool, RULE_TESTS } from './support/promtool.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly datasource?: object;
  readonly targets?: readonly { readonly expr: string; readonly datasource?: object }[];
}

const rules = alertRules();
const board = JSON.parse(readFileSync(`${ROOT}deploy/grafana/sluice.json`, 'utf8'));
const panels = board.panels as Panel[];

/** promtool reads expressions in files of rules only. */
function checkSyntax(expressions: readonly string[]): void {
  const folder = newFolder();
  const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups: [{ name: 'board', rules }] }));
  promtool(['check', 'rules', '--lint=none', join(folder, 'rules.yml')]);
}

describe('the alert rules', () => {
  for (const { alert, expr, labels, annotations, ...rest } of rules) {
    it(`${alert} is a rule of Prometheus about metrics that exist`, async () => {
      expect(await faultsOf(expr)).to.deep.equal([]);
      expect(Object.keys(rest).filter((key) => key !== 'for')).to.deep.equal([]);
      if (rest.for !== undefined) expect(rest.for).to.match(/^\d+[ms]$/);
      expect(['critical', 'warning']).to.include(labels.severity);
      // Otherwise an unknown variable or function would be noticed only when the alert fires.
      const templates = [...annotations.summary.matchAll(/\{\{(.*?)\}\}/g)].map(([, template]) => template);
      for (const template of templates)
        expect(template).to.match(/^ \$(labels\.\w+|value( \| humanize(Percentage|Duration)?)?) $/);
      expect(annotations.dashboard).to.match(
        /^https:\/\/.*\/d\/sluice\?var-namespace=\{\{ \$labels\.namespace \}\}$/,
      );
    });

    it(`${alert} links its section of docs/operations.md, which has the same five parts as all`, () => {
      const [page, anchor] = annotations.runbook_url.split('#');
      expect(page).to.equal('https://github.com/sluice-io/sluice/blob/main/docs/operations.md');
      expect(anchor).to.equal(alert.toLowerCase());
      const section = readPage('docs/operations.md').split(`### ${alert}\n`)[1]?.split(/^#/m)[0] ?? '';
      const parts = [...section.matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, part]) => part);
      expect(parts).to.deep.equal(['Harmed', 'Confirm', 'Cure', 'If not', 'Prevent']);
      // A command or a query to paste.
      expect(section.split('**Confirm**:')[1]?.split('**Cure**')[0]).to.match(/`[^`]+`/);
    });
  }

  for (const { record, labels, expr } of recordingRules())
    it(`record metrics that exist: ${record} of ${labels.slo}`, async () => {
      expect(await faultsOf(expr)).to.deep.equal([]);
    });

  it('see each installation apart: every aggregation keeps its namespace', () => {
    for (const { expr } of [...rules, ...recordingRules()])
      for (const labels of keptBy(expr)) expect(labels, expr).to.include('namespace');
  });

  it('are exactly the alerts with a paragraph in docs/operations.md, each once', () => {
    const paragraphs = [...readPage('docs/operations.md').matchAll(/^### (Sluice\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(paragraphs).to.deep.equal(rules.map(({ alert }) => alert));
  });
});

interface Check {
  readonly eval_time: string;
  readonly alertname: string;
  readonly exp_alerts: readonly object[];
}
interface RuleTest {
  readonly alert_rule_test: readonly Check[];
}

/** The minutes of an `eval_time`. The tests use no other unit. */
const minutes = ({ eval_time }: Check): number => Number(/^(\d+)m$/.exec(eval_time)?.[1]);

describe("the alert rules' own tests", () => {
  const files = RULE_TESTS.map((path) => parse(readFileSync(ROOT + path, 'utf8')));
  const tests: RuleTest[] = files.flatMap((file) => file.tests);
  const checks = tests.flatMap(({ alert_rule_test }) => alert_rule_test);

  for (const { alert } of rules)
    it(`cover when ${alert} fires, and when it does not`, () => {
      const fires = checks
        .filter(({ alertname }) => alertname === alert)
        .map((one) => one.exp_alerts.length > 0);
      expect(fires).to.include.members([true, false]);
    });

  for (const { alert } of rules)
    it(`cover that ${alert} ends with its cause`, () => {
      const ends = tests.some(({ alert_rule_test: all }) => {
        const own = all.filter(({ alertname }) => alertname === alert);
        const fired = own.filter(({ exp_alerts }) => exp_alerts.length > 0).map(minutes);
        return own.some((one) => one.exp_alerts.length === 0 && minutes(one) > Math.min(...fired));
      });
      expect(ends).to.equal(true);
    });

  it('test these rules', () => {
    for (const { rule_files } of files) expect(rule_files).to.deep.equal(['alerts.yml']);
  });
});

describe('the configuration of Prometheus', () => {
  const path = `${ROOT}deploy/prometheus/prometheus.yml`;
  const { global, alerting, rule_files, scrape_configs } = parse(readFileSync(path, 'utf8'));

  it('sets the interval of rules to that of scrapes, and sends alerts to an Alertmanager', () => {
    expect(global).to.deep.equal({ scrape_interval: '15s', evaluation_interval: '15s' });
    expect(alerting.alertmanagers[0].static_configs[0].targets).to.have.length.above(0);
  });

  itWithPromtool('is valid for Prometheus', () => promtool(['check', 'config', path]));

  it('loads the alert rules, and scrapes the admin port of each service in docker-compose.yml', () => {
    expect(rule_files.map((file: string) => `deploy/prometheus/${file}`)).to.deep.equal([RULES_PATH]);
    const [{ honor_labels, dns_sd_configs }] = scrape_configs;
    expect(honor_labels).to.equal(true);
    const image = imageEnvironment('production');
    const asked = dns_sd_configs.map(({ names: [name], port }: { names: string[]; port: number }) => [
      name,
      port,
    ]);
    const services = ['ingress', 'worker', 'dispatcher', 'api'];
    expect(asked).to.deep.equal(
      services.map((name) => [name, Number(image[`${name.toUpperCase()}_ADMIN_PORT`])]),
    );
    expect(Object.keys(readComposeFile().services)).to.include.members(services);
  });
});

describe('the Grafana board', () => {
  it('works with any Prometheus data source, and has a fixed address', () => {
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
    for (const datasource of asked.filter((one) => one !== undefined))
      expect(datasource).to.deep.equal({ type: 'prometheus', uid: '${datasource}' });
  });

  it('shows one installation, or all', () => {
    expect(board.templating.list[1]).to.include({ name: 'namespace', type: 'query', allValue: '.*' });
    for (const { targets = [], title } of panels)
      for (const { metric, matchers } of targets.flatMap(({ expr }) => selectedBy(expr)))
        if (metric !== 'up')
          expect(matchers, title).to.deep.include({
            label: 'namespace',
            operator: '=~',
            value: '$namespace',
          });
  });

  it('has panels that do not overlap', () => {
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
    it(`shows only metrics that exist: ${title}`, async () => {
      expect(targets).to.have.length.above(0);
      expect(fieldConfig?.defaults.unit).to.be.a('string');
      for (const { expr } of targets ?? []) expect(await faultsOf(expr), expr).to.deep.equal([]);
    });
  }

  itWithPromtool('has valid PromQL in every panel', () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    checkSyntax(expressions.map((expr) => expr.replaceAll('$__rate_interval', '5m')));
  });

  it('shows every metric of Sluice', () => {
    const shown = new Set(
      panels
        .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectedBy(expr)))
        .map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')),
    );
    const own = Object.values(METRIC_SECTIONS)
      .flat()
      .map(({ name }) => name.replace(/_count$/, ''));
    expect(own.filter((name) => !shown.has(name))).to.deep.equal([]);
  });
});
