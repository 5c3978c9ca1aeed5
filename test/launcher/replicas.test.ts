import { expect } from 'chai';
import { startReplicaAdmin } from '../../tools/launcher/src/replica-admin.ts';
import { createReplicas } from '../../tools/launcher/src/replicas.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { openStandIns, type StandIns } from './support/stand-ins.ts';

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
  let used: StandIns;

  before(async () => {
    used = await openStandIns(STAND_IN);
  });
  after(async () => {
    await used?.replicas.stop(2000);
    await used?.admin.close();
  });

  const status = async () => (await used.get('/readyz')).status;

  it('are ready if all of them are', async () => {
    expect(await status()).to.equal(503);
    used.replicas.start();
    await until(async () => (await status()) === 200);
  });

  it('have the sums of their metrics', async () => {
    expect((await used.get('/metrics')).text).to.include(
      'groups_total{service="worker",namespace="sluice"} 2',
    );
  });

  it('are not ready if one is not, and that one is named', async () => {
    used.signal('worker-2', 'SIGUSR2');
    await until(async () => (await status()) === 503);
    const { checks } = JSON.parse((await used.get('/readyz?verbose')).text) as { checks: { worker: string } };
    expect(checks.worker).to.match(/^worker-2 is not ready: .*redis is away/);
  });

  it('are ready again once a killed one is back', async () => {
    used.signal('worker-2', 'SIGKILL');
    await until(async () => (await status()) === 200);
  });

  it('are not ready if one is frozen: that one is named, and has sluice_process_up 0', async () => {
    used.signal('worker-2', 'SIGSTOP');
    await until(async () => (await status()) === 503);
    const { text } = await used.get('/readyz?verbose');
    expect(text).to.include('worker-2 does not answer within 1500 ms').and.not.include('worker-1');
    expect((await used.get('/metrics')).text)
      .to.include('sluice_process_up{process="worker-1",service="worker",namespace="sluice"} 1')
      .and.include('sluice_process_up{process="worker-2",service="worker",namespace="sluice"} 0');
    used.signal('worker-2', 'SIGCONT');
    await until(async () => (await status()) === 200);
  });

  it('are replaced on request', async () => {
    const old = [...used.pids.values()];
    used.replicas.replace();
    const replaced = () => [...used.pids.values()].every((pid) => !old.includes(pid));
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
    const settings = { port: 0, host: '127.0.0.1', variable: 'WORKER_ADMIN_PORT', namespace: 'sluice' };
    const server = await startReplicaAdmin({ ...settings, logger: silentLogger(), replicas: none });
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    await server.close();
  });
});

function never(): never {
  throw new Error('nothing to start');
}
