import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { isInstalled } from '../docs/support.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { alertRules } from './support/alert-rules.ts';
import type { PlayedFault } from './support/played-fault.ts';
import { PROCESS_FAULTS } from './support/played-process-faults.ts';
import { type PlayedStack, startPlayedStack } from './support/played-stack.ts';
import { LOSSES, STORE_FAULTS } from './support/played-store-faults.ts';
import { type Prometheus, startPrometheus } from './support/prometheus.ts';

/**
 * Plays faults to a real Prometheus with deploy/prometheus/alerts.yml, of which only `for` is shorter. Each fault has a new
 * Prometheus, so that none sees the one before. Prints the table of docs/faults.md. promtool tests the other alerts.
 */
const FOR_DIVIDED_BY = 30;
const rows: string[] = [];

function played(): void {
  const stack = use(startPlayedStack);
  after(async () => {
    const head = ['| fault | alerts | seconds until they fire |', '|---|---|---|'];
    process.stdout.write(`\n${[...head, ...rows].join('\n')}\n`);
  });

  it('nothing while there is no fault, and every rule can be evaluated', async () => {
    const urls = Object.values(stack.services).map((one) => String(one.adminUrl()));
    const prometheus = await startPrometheus(urls);
    try {
      const reported = async () => (await prometheus.query('sluice_replicas{state="ready"} == 1')).length;
      await until(async () => (await reported()) >= urls.length, { what: 'all replicas are registered' });
      await until(async () => (await prometheus.firing()).length === 0, { what: 'nothing fires' });
      expect(await prometheus.brokenRules()).to.deep.equal([]);
    } finally {
      await prometheus.stop();
    }
  });

  for (const fault of [...STORE_FAULTS, ...PROCESS_FAULTS, ...LOSSES])
    it(fault.done, async () => {
      const more = (await fault.more?.(stack)) ?? [];
      await until(() => more.every((one) => one.adminUrl() !== undefined), { what: 'all processes listen' });
      const all = [...Object.values(stack.services), ...(fault.unseen ? [] : more)];
      const prometheus = await startPrometheus(
        all.map((one) => String(one.adminUrl())),
        { forDividedBy: FOR_DIVIDED_BY },
      );
      let end: () => unknown = () => undefined;
      try {
        await until(async () => (await prometheus.query('up == 1')).length === all.length, {
          what: 'Prometheus scrapes all',
        });
        await until(async () => (await prometheus.query(fault.first ?? 'sluice_replicas')).length > 0, {
          what: 'the processes report',
        });
        // The end of the fault before may be seen late.
        await until(async () => (await firing(prometheus, fault, stack)).length === 0, {
          what: `${fault.alerts} do not fire before the fault`,
        });
        const since = performance.now();
        end = await fault.play(stack, more, prometheus);
        await until(async () => (await firing(prometheus, fault, stack)).length === fault.alerts.length, {
          withinMs: fault.within * 1000,
          what: `${fault.alerts} fire`,
        });
        const seconds = Math.round((performance.now() - since) / 1000);
        rows.push(`| ${fault.done} | ${fault.alerts.map(described).join(', ')} | ${seconds} |`);
        if (!fault.ends) return;
        await end();
        end = () => undefined;
        await until(async () => (await firing(prometheus, fault, stack)).length === 0, {
          what: `${fault.alerts} end`,
        });
      } finally {
        await end();
        await prometheus.stop();
        await Promise.all(more.map((one) => one.kill('SIGKILL')));
      }
      const ready = Object.values(stack.services).map((one) => one.ready());
      await Promise.all(ready);
    });
}

/** The alerts of this fault that fire for its installation. */
async function firing(
  prometheus: Prometheus,
  { alerts }: PlayedFault,
  { pipeline }: PlayedStack,
): Promise<readonly string[]> {
  const own = (await prometheus.firing()).filter(({ labels }) => labels.namespace === pipeline.namespace);
  const names = new Set(own.map(({ alert }) => alert));
  return alerts.filter((alert) => names.has(alert));
}

function described(alert: string): string {
  const wait = alertRules().find((rule) => rule.alert === alert)?.for;
  return `${alert} (${wait === undefined ? 'at once' : `\`for: ${wait}\``})`;
}

if (process.env.SLUICE_REQUIRE_PROMTOOL || isInstalled('prometheus'))
  describe('the alerts of a real Prometheus fire for', function () {
    this.timeout(400_000);
    played();
  });
else
  reportNotRun('the alerts played in a real Prometheus (Debian: apt-get install prometheus)', ['prometheus']);
