import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import { expect } from 'chai';
import { startReplicaAdmin } from '../../tools/launcher/src/replica-admin.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { alertRules, recordingRules } from './support/alert-rules.ts';
import { type Sample, scrape } from './support/exposition.ts';
import { groupedBy, type Selected, selectedBy } from './support/promql.ts';

/** Prometheus creates these metrics, and adds these labels to scraped metrics. */
const OF_PROMETHEUS = ['up', ...recordingRules().map(({ record }) => record)];
const ADDED_LABELS = ['instance', 'job'];

describe('the alert rules and the metrics of running processes', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  let api: ServiceProcess;
  let dispatcher: ServiceProcess;
  let launcher: AdminServer;
  let samples: readonly Sample[];

  const scrapeAll = async (): Promise<readonly Sample[]> => {
    const urls = [
      pipeline.ingresses[0]?.adminUrl(),
      pipeline.workers[0]?.adminUrl(),
      api.adminUrl(),
      dispatcher.adminUrl(),
      launcher.url,
    ];
    return (await Promise.all(urls.map(scrape))).flatMap((one) => one.samples);
  };

  before(async () => {
    pipeline = await startPipeline();
    api = startService('api', { ...pipeline.env, API_PORT: '0', API_ADMIN_PORT: '0' });
    dispatcher = startService('dispatcher', { ...pipeline.env });
    await Promise.all([api.ready(), dispatcher.ready()]);
    await pipeline.workers[0]?.ready();
    const replicas = {
      kind: 'worker',
      admins: () => [{ name: 'worker-1', url: pipeline.workers[0]?.adminUrl() }],
    };
    const settings = { port: 0, host: '127.0.0.1', variable: 'WORKER_ADMIN_PORT', namespace: 'sluice' };
    launcher = await startReplicaAdmin({ ...settings, logger: silentLogger(), replicas });
    const source = await pipeline.addSource();
    expect((await postUpsert(pipeline.urls[0] as string, source)).status).to.equal(200);
    await pipeline.logged(source, 1);
    const has = async (name: string) => (await scrapeAll()).some((one) => one.name === name);
    await until(() => has('sluice_replicas'), { what: 'the API has found the replicas' });
    samples = await scrapeAll();
    // The series of 5xx responses exists only after the first.
    await pipeline.redis.kill();
    const signIn = () =>
      fetch(`${apiUrl}${DASHBOARD_API}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: apiUrl },
        body: JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' }),
      });
    const apiUrl = String((await api.logged('api.listening')).url);
    await until(async () => (await signIn()).status >= 500, { what: 'the API responds with a 5xx' });
    samples = [...samples, ...(await scrapeAll())];
  });
  after(async () => {
    await launcher?.close();
    await api?.kill('SIGKILL');
    await dispatcher?.kill('SIGKILL');
    await pipeline?.stop();
  });

  function matching({ metric, matchers }: Selected): readonly Sample[] {
    return samples.filter(
      ({ name, labels }) =>
        name === metric &&
        matchers.every(({ label, operator, value }) => {
          const is = labels[label] ?? '';
          const fits = operator.includes('~') ? new RegExp(`^(?:${value})$`).test(is) : is === value;
          return fits !== operator.startsWith('!');
        }),
    );
  }

  const rules = [
    ...alertRules().map(({ alert, expr }) => ({ name: alert, expr })),
    ...recordingRules().map(({ record, labels, expr }) => ({ name: `${record} of ${labels.slo}`, expr })),
  ];
  for (const { name, expr } of rules)
    it(`have the same metrics and labels: ${name}`, () => {
      const [selected, grouped] = [selectedBy(expr), groupedBy(expr)];
      const scraped = selected.filter(({ metric }) => !OF_PROMETHEUS.includes(metric));
      expect(selected).to.have.length.above(0);
      for (const one of scraped) expect(matching(one), JSON.stringify(one)).to.have.length.above(0);
      const labels = scraped.flatMap((one) => matching(one).flatMap((sample) => Object.keys(sample.labels)));
      if (scraped.length > 0) expect([...labels, ...ADDED_LABELS]).to.include.members(grouped);
    });
});
