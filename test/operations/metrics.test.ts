import { METRIC_SECTIONS } from '@sluice/runtime/telemetry/metric-catalog';
import { type MetricsJson, mergeMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { post, postUpsert } from '../support/post.ts';
import { useService } from '../support/service-process.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type Exposition, parseExposition, scrape } from './support/exposition.ts';

/** Node's metrics are documented by prom-client. */
const NOT_OURS = /^(process|nodejs)_/;
/**
 * Every metric has `service` and `namespace` (packages/runtime/src/telemetry/metrics.ts). Histograms and summaries add the other two.
 */
const UNSAID_LABELS = ['service', 'namespace', 'le', 'quantile'];

describe('the metrics of running processes', function () {
  this.timeout(240_000);
  const pipeline = usePipeline();
  const api = useService('api', () => ({ ...pipeline.env }));
  const dispatcher = useService('dispatcher', () => ({ ...pipeline.env }));
  let said: Readonly<Record<'Ingress' | 'Worker' | 'Dispatcher' | 'API', Exposition>>;

  before(async () => {
    const source = await pipeline.addSource();
    const [url = ''] = pipeline.urls;
    const request = signed({ secret: source.secret, body: upsertBody() });
    for (const status of [200, 200]) expect((await post(url + source.path, request)).status).to.equal(status);
    expect((await postUpsert(url, { ...source, secret: 'whsec_wrong' })).status).to.equal(401);
    expect((await fetch(`${url}/nothing`)).status).to.equal(404);
    await pipeline.logged(source, 3);
    await fetch(`${(await api.logged('api.listening')).url}/openapi.json`);
    // The worker counts a group, and BullMQ a job, only after its rows are in the log.
    await until(
      async () => {
        said = {
          Ingress: await scrape(pipeline.ingresses[0]?.adminUrl()),
          Worker: await scrape(pipeline.workers[0]?.adminUrl()),
          Dispatcher: await scrape(dispatcher.adminUrl()),
          API: await scrape(api.adminUrl()),
        };
        const { Worker, API } = said;
        const clocks = Object.values(said).map(({ value }) => value('sluice_clock_offset_seconds'));
        return (
          Worker.value('sluice_worker_lag_seconds_count') === 2 &&
          API.value('bullmq_job_completed_total') === 3 &&
          API.value('sluice_replicas', { state: 'ready' }) === 4 &&
          clocks.every(Number.isFinite)
        );
      },
      { what: 'the workers have finished three groups, and all are registered' },
    );
  });

  for (const section of ['Ingress', 'Worker', 'Dispatcher', 'API'] as const) {
    it(`are exactly those of the catalog: ${section}`, () => {
      const cataloged = [...(METRIC_SECTIONS['Every process'] ?? []), ...(METRIC_SECTIONS[section] ?? [])];
      const { types, samples } = said[section];
      const own = [...types].filter(([name]) => !NOT_OURS.test(name));
      expect(own).to.have.deep.members(cataloged.map(({ name, type }) => [name, type]));
      for (const { name, labelNames } of cataloged) {
        const ofIt = samples.filter((one) => one.name.replace(/_(bucket|sum|count)$/, '') === name);
        for (const one of ofIt) {
          const known = Object.keys(one.labels).filter((label) => !UNSAID_LABELS.includes(label));
          expect(known, name).to.have.members(labelNames);
          expect(one.labels, name).to.include({
            service: section.toLowerCase(),
            namespace: pipeline.namespace,
          });
        }
      }
    });

    it(`follow Prometheus's conventions for names and units: ${section}`, () => {
      for (const [name, type] of said[section].types) {
        if (NOT_OURS.test(name)) continue;
        expect(name.endsWith('_total'), name).to.equal(type === 'counter');
        expect(name, 'a base unit').to.not.match(/_(ms|milliseconds|kilobytes|megabytes|percent)(_|$)/);
      }
    });
  }

  it('count rejections by code, also those without a source', () => {
    const requests = (code: string) => said.Ingress.value('webhook_requests_total', { code });
    expect([
      requests('ok'),
      requests('duplicate'),
      requests('signature_invalid'),
      requests('not_found'),
    ]).to.deep.equal([1, 1, 1, 1]);
    const timed = { method: 'POST', route: '/api/v1/events/webhook/:sourceId', status: '200' };
    expect(said.Ingress.value('http_request_duration_seconds_count', timed)).to.equal(2);
  });

  it('show each step of an action: accepted, in its group, applied', () => {
    expect(said.Ingress.value('webhook_group_size_sum', { kind: 'actions' })).to.equal(2);
    expect(said.Worker.value('sluice_worker_actions_total', { outcome: 'created' })).to.equal(1);
    expect(said.Worker.value('sluice_worker_actions_total', { outcome: 'duplicate' })).to.equal(1);
    expect(said.Worker.value('sluice_worker_refusals_total')).to.equal(1);
    const groups = said.Ingress.value('webhook_group_size_count', { kind: 'actions' });
    expect(said.Worker.value('sluice_worker_group_seconds_count')).to.equal(groups);
    expect(said.API.value('bullmq_job_completed_total', { queue: 'actions' })).to.equal(groups);
  });

  it('can be summed over replicas, except those that all replicas share', async () => {
    const processes = [pipeline.ingresses[0], pipeline.workers[0], api];
    const merged = await Promise.all(
      processes.map(async (service) => {
        const replica = (await (await fetch(`${service?.adminUrl()}/metrics.json`)).json()) as MetricsJson;
        return parseExposition(await mergeMetrics([replica, replica]));
      }),
    );
    const [ingress, worker, installation] = merged as [Exposition, Exposition, Exposition];
    expect(ingress.value('webhook_requests_total', { code: 'ok' })).to.equal(2);
    expect(worker.value('sluice_worker_actions_total', { outcome: 'created' })).to.equal(2);
    expect(ingress.value('sluice_backlog_limit_groups')).to.equal(20_000);
    expect(installation.value('bullmq_job_completed_total')).to.equal(3);
    for (const { value } of merged) expect(value('sluice_build_info')).to.equal(1);
  });

  it('show the installation as a whole', () => {
    const { value } = said.API;
    expect(value('sluice_redis_up')).to.equal(1);
    for (const kind of ['ingress', 'worker', 'dispatcher', 'api'])
      expect(value('sluice_replicas', { kind }), kind).to.equal(1);
    expect(value('sluice_redis_memory_used_bytes')).to.be.above(0);
    expect(value('bullmq_job_count', { queue: 'dead-letters', state: 'waiting' })).to.equal(0);
    expect(value('bullmq_job_failed_total')).to.equal(0);
  });

  it('report the clock offset, which is under 5 s on one machine', () => {
    for (const [section, { value }] of Object.entries(said))
      expect(Math.abs(value('sluice_clock_offset_seconds') ?? Number.NaN), section).to.be.below(5);
  });

  it('show the age of the oldest waiting group, and respond also while Redis is down', async () => {
    for (const worker of pipeline.workers) await worker.kill('SIGTERM');
    const source = await pipeline.addSource();
    expect((await postUpsert(pipeline.urls[0] as string, source)).status).to.equal(200);
    const waiting = async () => {
      const { value } = await scrape(api.adminUrl());
      const count = value('bullmq_job_count', { queue: 'actions', state: 'waiting' });
      return count === 1 && (value('webhook_queue_oldest_age_seconds', { queue: 'actions' }) ?? 0) > 0;
    };
    await until(waiting, { what: 'a group waits' });
    await pipeline.redis.kill();
    const away = async () => (await scrape(api.adminUrl())).value('sluice_redis_up') === 0;
    await until(away, { what: 'the API reports that Redis is down' });
    const { samples } = await scrape(api.adminUrl());
    expect(samples.filter(({ name }) => name === 'bullmq_job_count')).to.deep.equal([]);
    const closed = async () =>
      (await scrape(pipeline.ingresses[0]?.adminUrl())).value('sluice_gate_closed', { reason: 'redis_away' });
    await until(async () => (await closed()) === 1, { what: 'the ingress reports why its gate is closed' });
  });
});
