import { spawn } from 'node:child_process';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import { expect } from 'chai';
import { startReplicaAdmin } from '../../tools/launcher/src/replica-admin.ts';
import { createReplicas, type Replicas } from '../../tools/launcher/src/replicas.ts';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

/** A process whose store freezes on SIGUSR2: its check hangs, and its metrics wait until their timeout. */
const STAND_IN = `
  import { startAdminServer } from '@sluice/runtime/http/admin-server';
  import { SCRAPE_LOOK_MS } from '@sluice/runtime/telemetry/in-time-for-scrape';
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
const ARGS = ['--import=tsx', '--conditions=source', '--input-type=module', '--eval', STAND_IN];

describe('a process of npm start that is frozen', () => {
  const { logger, records } = recordingLogger();
  const pids = new Map<string, number>();
  let replicas: Replicas;
  let admin: AdminServer;

  before(async () => {
    replicas = createReplicas({
      kind: 'worker',
      count: 2,
      say: () => {},
      onBadConfig: () => {},
      spawn: (name) => {
        const child = spawn(process.execPath, ARGS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
        if (child.pid !== undefined) pids.set(name, child.pid);
        return child;
      },
    });
    const settings = { port: 0, host: '127.0.0.1', variable: 'WORKER_ADMIN_PORT', logger };
    admin = await startReplicaAdmin({ ...settings, replicas, watch: { everyMs: 200, misses: 5 } });
    replicas.start();
    await until(async () => (await get('/readyz')).status === 200, { what: 'both are ready' });
  });
  after(async () => {
    replicas.kill();
    await admin?.close();
  });

  const get = async (path: string) => {
    const response = await fetch(`${admin.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  function signal(name: string, what: NodeJS.Signals): void {
    const pid = pids.get(name);
    // Never process 0: that would be this process group.
    if (pid === undefined) throw new Error(`${name} was not started`);
    process.kill(pid, what);
  }

  it('has sluice_process_up 0, and its counts stay in the sums', async () => {
    expect((await get('/metrics')).text)
      .to.include('sluice_process_up{process="worker-1",service="worker"} 1')
      .and.include('sluice_process_up{process="worker-2",service="worker"} 1')
      .and.include('groups_total{service="worker"} 6');
    signal('worker-2', 'SIGSTOP');
    const { status, text } = await get('/metrics');
    expect(status).to.equal(200);
    expect(text)
      .to.include('sluice_process_up{process="worker-1",service="worker"} 1')
      .and.include('sluice_process_up{process="worker-2",service="worker"} 0')
      .and.include('groups_total{service="worker"} 6')
      .and.include('offset{service="worker"} 7');
  });

  it('makes /livez return 503 with its name and the command that ends it', async () => {
    await until(async () => (await get('/livez')).status === 503, { what: '/livez is 503' });
    const pid = pids.get('worker-2');
    expect((await get('/livez')).text)
      .to.match(/^worker-2 \(process \d+\) has not answered for \d+ s\. /)
      .and.include(`kill -KILL ${pid}`);
    const line = records.find(({ event }) => event === 'process.silent');
    expect(line).to.include({ level: 50, process: 'worker-2', pid });
  });

  it('is named in /readyz at once', async () => {
    const { status, text } = await get('/readyz?verbose');
    expect(status).to.equal(503);
    expect(text).to.include('worker-2 does not answer within 1500 ms').and.not.include('worker-1');
  });

  it('is live again as soon as it responds, and each change is one log line', async () => {
    signal('worker-2', 'SIGCONT');
    await until(async () => (await get('/livez')).status === 200, { what: '/livez is 200' });
    const told = records.map(({ event }) => event).filter((event) => /^process\./.test(String(event)));
    expect(told).to.deep.equal(['process.silent', 'process.answers']);
    await until(async () => (await get('/readyz')).status === 200, { what: 'both are ready' });
  });

  it('does not count as frozen while its store is, and its report of the store is passed on', async () => {
    for (const name of pids.keys()) signal(name, 'SIGUSR2');
    await until(async () => (await get('/readyz')).status === 503, { what: 'the replicas are not ready' });
    const { checks } = JSON.parse((await get('/readyz?verbose')).text) as { checks: { worker: string } };
    for (const name of pids.keys())
      expect(checks.worker).to.match(new RegExp(`${name} is not ready: .*redis":"no answer within 500 ms"`));
    expect(checks.worker).to.include('"mongodb":"ok"');
  });

  it('keeps its metrics in the sums while they wait for a store, with NaN for unknown numbers', async () => {
    const { text } = await get('/metrics');
    expect(text)
      .to.include('sluice_process_up{process="worker-1",service="worker"} 1')
      .and.include('groups_total{service="worker"} 6')
      .and.match(/^offset\{service="worker"\} Nan$/m);
  });

  it('is named when the stop has to kill it', async () => {
    signal('worker-1', 'SIGSTOP');
    expect(await replicas.stop(500)).to.deep.equal(['worker-1']);
  });
});
