import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { isInstalled } from '../docs/support.ts';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { type Prometheus, startPrometheus } from './support/prometheus.ts';

/**
 * Not tested here, because they take minutes or a fault that cannot be caused from outside: SluiceInternalErrors,
 * SluiceOldestGroupWaits, SluiceClockOff, SluiceProcessOverloaded, SluiceMostAttemptsFail, SluiceMessagesUnsigned,
 * SluiceDispatcherFull, SluiceAttemptsUnlogged, SluiceMailboxUnreadable, SluiceChangesPending, SluiceApiNotReady. promtool tests those.
 */
const toBeRun = process.env.SLUICE_REQUIRE_PROMTOOL || isInstalled('prometheus');

function played(): void {
  let pipeline: Pipeline;
  let api: ServiceProcess;
  let dispatcher: ServiceProcess;
  let prometheus: Prometheus;
  let redis: Redis;
  let source: TestSource;

  before(async () => {
    pipeline = await startPipeline({ env: { BACKLOG_LIMIT: '4' } });
    api = startService('api', { ...pipeline.env, API_PORT: '0', API_ADMIN_PORT: '0' });
    dispatcher = startService('dispatcher', { ...pipeline.env });
    await Promise.all([api.ready(), dispatcher.ready(), pipeline.workers[0]?.ready()]);
    redis = new Redis(pipeline.redis.url, { retryStrategy: () => 100 });
    redis.on('error', () => {});
    source = await pipeline.addSource();
    const processes = [pipeline.ingresses[0], pipeline.workers[0], api, dispatcher];
    prometheus = await startPrometheus(processes.map((one) => String(one?.adminUrl())));
  });
  after(async () => {
    redis?.disconnect();
    await prometheus?.stop();
    await Promise.all([api, dispatcher].map((one) => one?.kill('SIGKILL')));
    await pipeline?.stop();
  });

  const send = (secret = source.secret) => postUpsert(pipeline.urls[0] as string, { ...source, secret });
  const names = async () => (await prometheus.firing()).map(({ alert }) => alert);
  const fire = (...alerts: readonly string[]) =>
    until(async () => notIn(await names(), alerts).length === 0, { what: `${alerts} fire` });
  const end = (...alerts: readonly string[]) =>
    until(async () => notIn(await names(), alerts).length === alerts.length, { what: `${alerts} end` });

  it('nothing while there is no fault, and every rule can be evaluated', async () => {
    expect((await send()).status).to.equal(200);
    await until(async () => (await prometheus.query('sluice_replicas == 1')).length === 4, {
      what: 'all replicas are registered',
    });
    await until(async () => (await names()).length === 0, { what: 'nothing fires' });
    expect(await prometheus.brokenRules()).to.deep.equal([]);
  });

  it('a source whose requests are rejected', async () => {
    await Promise.all(Array.from({ length: 30 }, () => send('whsec_wrong')));
    await fire('SluiceSourceRejected', 'SluiceMostRequestsRejected');
    const fired = (await prometheus.firing()).find(({ alert }) => alert === 'SluiceSourceRejected');
    expect(fired?.labels).to.include({ code: 'signature_invalid' });
  });

  it('dead letters and failed jobs, which do not resolve while Redis is frozen; errors, and a closed gate', async () => {
    const { prefix } = createShards(pipeline.namespace, 1).first;
    await redis.rpush(`${prefix}:dead-letters:wait`, '1');
    await redis.zadd(`${prefix}:actions:failed`, 1, '1');
    await fire('SluiceDeadLetters', 'SluiceJobsFailed');
    pipeline.redis.freeze();
    await fire('SluiceGateClosed');
    const closed = (await prometheus.firing()).find(({ alert }) => alert === 'SluiceGateClosed');
    const instance = new URL(String(pipeline.ingresses[0]?.adminUrl())).host;
    expect(closed?.labels).to.include({ reason: 'redis_away', instance });
    const apiUrl = String((await api.logged('api.listening')).url);
    const signIn = () =>
      fetch(`${apiUrl}${DASHBOARD_API}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: apiUrl },
        body: JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' }),
      });
    await until(
      async () => {
        // A hundred requests an hour are too few for the error budget.
        for (const { status } of await Promise.all(Array.from({ length: 50 }, () => send())))
          expect(status).to.equal(503);
        expect((await signIn()).status).to.equal(503);
        const firing = await names();
        return firing.includes('SluiceBudgetBurnsFast') && firing.includes('SluiceApiErrors');
      },
      { what: 'errors of ingress and API fire' },
    );
    expect(await prometheus.query('bullmq_job_count'), 'nobody counts them').to.deep.equal([]);
    expect(await names()).to.include.members(['SluiceDeadLetters', 'SluiceJobsFailed']);
    pipeline.redis.thaw();
    await end('SluiceGateClosed');
    await redis.del(`${prefix}:dead-letters:wait`, `${prefix}:actions:failed`);
    await end('SluiceDeadLetters', 'SluiceJobsFailed');
  });

  it('a Redis that is nearly full', async () => {
    const used = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
    await redis.config('SET', 'maxmemory', String(Math.round(used * 1.6)));
    await fire('SluiceRedisMemory');
    await redis.config('SET', 'maxmemory', '0');
    await end('SluiceRedisMemory');
  });

  it('a frozen worker', async () => {
    const pid = pipeline.workers[0]?.pid;
    if (!pid) throw new Error('there is no worker');
    process.kill(pid, 'SIGSTOP');
    await fire('SluiceProcessSilent', 'SluiceWorkersMissing', 'SluiceReplicasLost');
    process.kill(pid, 'SIGCONT');
    await end('SluiceProcessSilent', 'SluiceWorkersMissing');
  });

  it('a frozen dispatcher', async () => {
    process.kill(dispatcher.pid, 'SIGSTOP');
    await fire('SluiceDispatchersNotReady', 'SluiceDispatchersMissing');
    process.kill(dispatcher.pid, 'SIGCONT');
    await end('SluiceDispatchersNotReady', 'SluiceDispatchersMissing');
  });

  it('a stopped MongoDB, and waiting groups', async () => {
    const { mongo } = pipeline;
    // A given MongoDB is not ours to kill.
    if (mongo === undefined) return;
    await mongo.kill();
    for (let i = 0; i < 3; i++) expect((await send()).status).to.equal(200);
    await fire('SluiceMongoAway', 'SluiceBacklogNearLimit', 'SluiceDispatchersNotReady');
    await mongo.restart();
    await end('SluiceMongoAway', 'SluiceBacklogNearLimit', 'SluiceDispatchersNotReady');
  });

  it('a stopped API', async () => {
    await api.kill('SIGKILL');
    await fire('SluiceNotSeen', 'SluiceProcessSilent');
    const gone = (await prometheus.firing()).find(({ alert }) => alert === 'SluiceNotSeen');
    expect(gone?.labels).to.include({ service: 'api' });
  });
}

function notIn(firing: readonly string[], alerts: readonly string[]): readonly string[] {
  return alerts.filter((alert) => !firing.includes(alert));
}

if (toBeRun)
  describe('the alerts of a real Prometheus fire for, and end with', function () {
    this.timeout(300_000);
    played();
  });
else reportNotRun('the alerts played in a real Prometheus', ['prometheus']);
