import { expect } from 'chai';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { openStandIns, type StandIns } from './support/stand-ins.ts';

/** A process whose store freezes on SIGUSR2: its check hangs, and its metrics wait until their timeout. */
const STAND_IN = `
  import { startAdminServer } from '@sluice/runtime/http/admin-server';
  import { SCRAPE_LOOK_MS } from '@sluice/runtime/telemetry/store-metrics';
  import { createLogger } from '@sluice/runtime/telemetry/logger';
  import { createMetrics } from '@sluice/runtime/telemetry/metrics';
  const metrics = createMetrics({ service: 'worker' });
  metrics.counter({ name: 'groups_total', help: 'Groups.' }).inc(3);
  let frozen = false;
  const late = () => new Promise((resolve) => setTimeout(resolve, SCRAPE_LOOK_MS));
  metrics.gauge({ name: 'offset', help: 'Offset.', aggregator: 'average', async collect() {
    if (frozen) await late();
    this.set(frozen ? Number.NaN : 7);
  } });
  process.on('SIGUSR2', () => { frozen = true; });
  await startAdminServer({ port: 0, host: '127.0.0.1', metrics, logger: createLogger({ service: 'worker', level: 'silent' }),
    checks: { redis: () => frozen ? new Promise(() => {}) : undefined, mongodb: () => {} } });
`;
describe('a process of npm start that is frozen', () => {
  const { logger, records } = recordingLogger();
  let used: StandIns;

  before(async () => {
    used = await openStandIns({ script: STAND_IN, logger, watch: { everyMs: 200, misses: 5 } });
    used.replicas.start();
    await until(async () => (await used.get('/readyz')).status === 200, { what: 'both are ready' });
  });
  after(async () => {
    used?.replicas.kill();
    await used?.admin.close();
  });

  it('has sluice_process_up 0, and its counts stay in the sums', async () => {
    expect((await used.get('/metrics')).text)
      .to.include('sluice_process_up{process="worker-1",service="worker",namespace="sluice"} 1')
      .and.include('sluice_process_up{process="worker-2",service="worker",namespace="sluice"} 1')
      .and.include('groups_total{service="worker",namespace="sluice"} 6');
    used.signal('worker-2', 'SIGSTOP');
    const { status, text } = await used.get('/metrics');
    expect(status).to.equal(200);
    expect(text)
      .to.include('sluice_process_up{process="worker-1",service="worker",namespace="sluice"} 1')
      .and.include('sluice_process_up{process="worker-2",service="worker",namespace="sluice"} 0')
      .and.include('groups_total{service="worker",namespace="sluice"} 6')
      .and.include('offset{service="worker",namespace="sluice"} 7')
      .and.match(
        /^sluice_process_start_time_seconds\{process="worker-1",service="worker",namespace="sluice"\} \d/m,
      )
      .and.not.include('sluice_process_start_time_seconds{process="worker-2"');
  });

  it('makes /livez return 503 with its name and the command that ends it', async () => {
    await until(async () => (await used.get('/livez')).status === 503, { what: '/livez is 503' });
    const pid = used.pids.get('worker-2');
    expect((await used.get('/livez')).text)
      .to.match(/^worker-2 \(process \d+\) has not answered for \d+ s\. /)
      .and.include(`kill -KILL ${pid}`);
    const line = records.find(({ event }) => event === 'process.silent');
    expect(line).to.include({ level: 50, process: 'worker-2', pid });
  });

  it('is named in /readyz at once', async () => {
    const { status, text } = await used.get('/readyz?verbose');
    expect(status).to.equal(503);
    expect(text).to.include('worker-2 does not answer within 1500 ms').and.not.include('worker-1');
  });

  it('is live again as soon as it responds, and each change is one log line', async () => {
    used.signal('worker-2', 'SIGCONT');
    await until(async () => (await used.get('/livez')).status === 200, { what: '/livez is 200' });
    const told = records.map(({ event }) => event).filter((event) => /^process\./.test(String(event)));
    expect(told).to.deep.equal(['process.silent', 'process.answers']);
    await until(async () => (await used.get('/readyz')).status === 200, { what: 'both are ready' });
  });

  it('does not count as frozen while its store is, and its report of the store is passed on', async () => {
    for (const name of used.pids.keys()) used.signal(name, 'SIGUSR2');
    await until(async () => (await used.get('/readyz')).status === 503, {
      what: 'the replicas are not ready',
    });
    const { checks } = JSON.parse((await used.get('/readyz?verbose')).text) as { checks: { worker: string } };
    for (const name of used.pids.keys())
      expect(checks.worker).to.match(new RegExp(`${name} is not ready: .*redis":"no answer within 500 ms"`));
    expect(checks.worker).to.include('"mongodb":"ok"');
  });

  it('keeps its metrics in the sums while they wait for a store, with NaN for unknown numbers', async () => {
    const { text } = await used.get('/metrics');
    expect(text)
      .to.include('sluice_process_up{process="worker-1",service="worker",namespace="sluice"} 1')
      .and.include('groups_total{service="worker",namespace="sluice"} 6')
      .and.match(/^offset\{service="worker",namespace="sluice"\} Nan$/m);
  });

  it('is named when the stop has to kill it', async () => {
    used.signal('worker-1', 'SIGSTOP');
    expect(await used.replicas.stop(500)).to.deep.equal(['worker-1']);
  });
});
