import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { durationMs } from '../../compose/support/compose-file.ts';
import { ROOT } from '../../docs/support.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';

export interface FiringAlert {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A real Prometheus with the project's rules. */
export interface Prometheus {
  firing(): Promise<readonly FiringAlert[]>;
  /** Names of rules that Prometheus could not evaluate, with the reason. */
  brokenRules(): Promise<readonly string[]>;
  /** The current samples of an expression, one value each. */
  query(expression: string): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** A scrape waits 1.5 s for a frozen Redis. */
const EVERY = '2s';

interface Rules {
  readonly groups: { readonly rules: { for?: string }[] }[];
}

/**
 * Scrapes these admin ports every 2 s. The rules fire at once, because promtool tests `for`; or after `for` divided by
 * `forDividedBy`. All else is as in alerts.yml.
 */
export async function startPrometheus(
  adminUrls: readonly string[],
  { forDividedBy = Number.POSITIVE_INFINITY }: { readonly forDividedBy?: number } = {},
): Promise<Prometheus> {
  const folder = newFolder();
  const rules = parse(readFileSync(`${ROOT}deploy/prometheus/alerts.yml`, 'utf8')) as Rules;
  for (const rule of rules.groups.flatMap((group) => group.rules))
    if (rule.for !== undefined) rule.for = `${Math.round(durationMs(rule.for) / forDividedBy)}ms`;
  writeFileSync(join(folder, 'alerts.yml'), stringify(rules));
  const config = {
    global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [
      {
        job_name: 'sluice',
        honor_labels: true,
        static_configs: [{ targets: adminUrls.map((url) => new URL(url).host) }],
      },
    ],
  };
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${new URL(url).host}`,
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, { what: 'Prometheus is ready' }).catch(async (error) => {
    await stop();
    throw error;
  });
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON of Prometheus
  const ask = async (path: string): Promise<any> => ((await (await fetch(url + path)).json()) as any).data;
  return {
    async firing() {
      const { alerts } = await ask('/api/v1/alerts');
      return alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(({ labels }: { labels: Record<string, string> }) => ({ alert: labels.alertname, labels }));
    },
    async brokenRules() {
      const { groups } = await ask('/api/v1/rules');
      return groups
        .flatMap((group: { rules: object[] }) => group.rules)
        .filter(({ health }: { health: string }) => health === 'err')
        .map(({ name, lastError }: { name: string; lastError: string }) => `${name}: ${lastError}`);
    },
    async query(expression) {
      const { result } = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      return result.map(({ value }: { value: [number, string] }) => Number(value[1]));
    },
    stop,
  };
}
