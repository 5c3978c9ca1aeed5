import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { startReplicaAdmin } from '../../tools/launcher/src/replica-admin.ts';
import { createReplicas, type Replicas } from '../../tools/launcher/src/replicas.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

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

describe('replicas of a service', () => {
  const pids = new Map<string, number>();
  const replicas = createReplicas({
    kind: 'worker',
    count: 2,
    say: () => {},
    onBadConfig: () => {},
    spawn: (name) => {
      const args = ['--import=tsx', '--conditions=source', '--input-type=module', '--eval', STAND_IN];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      if (child.pid !== undefined) pids.set(name, child.pid);
      return child;
    },
  });
  const admin = use(
    () => adminOf(replicas),
    async (server) => {
      await replicas.stop(2000);
      await server.close();
    },
  );
  const get = async (path: string) => {
    const response = await fetch(`${admin.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const signal = (name: string, what: NodeJS.Signals) => {
    // Never process 0: that would be this process group.
    const pid = pids.get(name);
    if (pid === undefined) throw new Error(`${name} was not started`);
    process.kill(pid, what);
  };

  const status = async () => (await get('/readyz')).status;

  it('are ready if all of them are', async () => {
    expect(await status()).to.equal(503);
    replicas.start();
    await until(async () => (await status()) === 200);
  });

  it('have the sums of their metrics', async () => {
    expect((await get('/metrics')).text).to.include('groups_total{service="worker",namespace="sluice"} 2');
  });

  it('are not ready if one is not, and that one is named', async () => {
    signal('worker-2', 'SIGUSR2');
    await until(async () => (await status()) === 503);
    const { checks } = JSON.parse((await get('/readyz?verbose')).text) as { checks: { worker: string } };
    expect(checks.worker).to.match(/^worker-2 is not ready: .*redis is away/);
  });

  it('are ready again once a killed one is back', async () => {
    signal('worker-2', 'SIGKILL');
    await until(async () => (await status()) === 200);
  });

  it('are not ready if one is frozen: that one is named, and has sluice_process_up 0', async () => {
    signal('worker-2', 'SIGSTOP');
    await until(async () => (await status()) === 503);
    const { text } = await get('/readyz?verbose');
    expect(text).to.include('worker-2 does not answer within 1500 ms').and.not.include('worker-1');
    expect((await get('/metrics')).text)
      .to.include('sluice_process_up{process="worker-1",service="worker",namespace="sluice"} 1')
      .and.include('sluice_process_up{process="worker-2",service="worker",namespace="sluice"} 0');
    signal('worker-2', 'SIGCONT');
    await until(async () => (await status()) === 200);
  });

  it('are replaced on request', async () => {
    const old = [...pids.values()];
    replicas.replace();
    const replaced = () => [...pids.values()].every((pid) => !old.includes(pid));
    await until(replaced, { what: 'both are started again' });
    await until(async () => (await status()) === 200);
  });

  it('are ready if there are none', async () => {
    const none = createReplicas({
      kind: 'worker',
      count: 0,
      say: () => {},
      onBadConfig: () => {},
      spawn: () => never(),
    });
    const server = await adminOf(none);
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    await server.close();
  });
});

function adminOf(replicas: Replicas) {
  const settings = { port: 0, host: '127.0.0.1', variable: 'WORKER_ADMIN_PORT', namespace: 'sluice' };
  return startReplicaAdmin({ ...settings, logger: silentLogger(), replicas });
}

function never(): never {
  throw new Error('nothing to start');
}
