import { spawn } from 'node:child_process';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import { expect } from 'chai';
import { startReplicaAdmin } from '../../tools/launcher/src/replica-admin.ts';
import { createReplicas, type Replicas } from '../../tools/launcher/src/replicas.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

/** A process with an admin port. SIGUSR2 makes it not ready. */
const STAND_IN = `
  import { startAdminServer } from '@sluice/runtime/http/admin-server';
  import { createLogger } from '@sluice/runtime/telemetry/logger';
  import { createMetrics } from '@sluice/runtime/telemetry/metrics';
  const metrics = createMetrics({ service: 'worker' });
  metrics.counter({ name: 'groups_total', help: 'Groups.' }).inc();
  let trouble;
  process.on('SIGUSR2', () => { trouble = new Error('redis is away'); });
  await startAdminServer({ port: 0, host: '127.0.0.1', metrics, logger: createLogger({ service: 'worker', level: 'silent' }),
    checks: { redis: () => { if (trouble) throw trouble; } } });
`;
const ARGS = ['--import=tsx', '--conditions=source', '--input-type=module', '--eval', STAND_IN];

describe('replicas of a service', () => {
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
    const settings = { port: 0, host: '127.0.0.1', variable: 'WORKER_ADMIN_PORT', logger: silentLogger() };
    admin = await startReplicaAdmin({ ...settings, replicas });
  });
  after(async () => {
    await replicas.stop(2000);
    await admin?.close();
  });

  const signalSecond = (name: NodeJS.Signals) => {
    const pid = pids.get('worker-2');
    // Never process 0: that would be this process group.
    if (pid === undefined) throw new Error('worker-2 was not started');
    process.kill(pid, name);
  };
  const status = async () => (await fetch(`${admin.url}/readyz`)).status;

  it('are ready if all of them are', async () => {
    expect(await status()).to.equal(503);
    replicas.start();
    await until(async () => (await status()) === 200);
  });

  it('have the sums of their metrics', async () => {
    const metrics = await (await fetch(`${admin.url}/metrics`)).text();
    expect(metrics).to.include('groups_total{service="worker"} 2');
  });

  it('are not ready if one is not, and that one is named', async () => {
    signalSecond('SIGUSR2');
    await until(async () => (await status()) === 503);
    const { checks } = (await (await fetch(`${admin.url}/readyz?verbose`)).json()) as {
      checks: { worker: string };
    };
    expect(checks.worker).to.match(/^worker-2 is not ready: .*redis is away/);
  });

  it('are ready again once a killed one is back', async () => {
    signalSecond('SIGKILL');
    await until(async () => (await status()) === 200);
  });

  it('are replaced one after the other', async () => {
    const old = [...pids.values()];
    await replicas.restart(2000);
    expect(await status()).to.equal(200);
    expect([...pids.values()].some((pid) => old.includes(pid))).to.equal(false);
  });

  it('are ready if there are none', async () => {
    const none = createReplicas({
      kind: 'worker',
      count: 0,
      say: () => {},
      onBadConfig: () => {},
      spawn: () => never(),
    });
    const settings = { port: 0, host: '127.0.0.1', variable: 'WORKER_ADMIN_PORT', logger: silentLogger() };
    const server = await startReplicaAdmin({ ...settings, replicas: none });
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    await server.close();
  });
});

function never(): never {
  throw new Error('nothing to start');
}
