import { readRunningStack } from '@sluice/runtime/config/stack-file';
import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { until } from '../support/until.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready, signal } from './support/npm-start.ts';

/** One installation whose processes are killed and frozen. */
describe('npm start', function () {
  this.timeout(240_000);
  const data = useDataDir();
  const sent: string[] = [];
  let started: Awaited<ReturnType<typeof npmStart>>;
  let url: string;
  const services = () =>
    processesOf(data.path()).filter(({ command }) => /services\/\w+\/dist/.test(command));
  const find = (part: RegExp) => processesOf(data.path()).find(({ command }) => part.test(command))?.pid;
  const killLauncher = async () => signal((await readRunningStack(data.path()))?.pid, 'SIGKILL');

  it('leaves no service if it is killed while its services load', async () => {
    const { script } = await npmStart(data.path());
    await until(() => services().length > 0, { what: 'a service starts' });
    await killLauncher();
    await script.ended;
    await until(() => services().length === 0);
  });

  it('restarts each killed process, and loses nothing that got a 200', async () => {
    started = await npmStart(data.path(), { INGRESS_REPLICAS: '2', WORKER_REPLICAS: '2' });
    url = await ready(started.script);
    for (const victim of [
      /services\/worker/,
      /services\/ingress/,
      /redis-server/,
      /embedded-mongodb|mongod/,
    ]) {
      signal(find(victim), 'SIGKILL');
      const title = `after ${victim.source}`;
      // Senders retry a 503 and a reset connection.
      await until(async () => (await data.send(url, title).catch(() => ({ status: 0 }))).status === 200);
      sent.push(title);
    }
    await data.applied(url, sent.sort());
  });

  it('leaves no service if it is killed; the next one stops its stores and finds all data', async () => {
    await killLauncher();
    await started.script.ended;
    await until(() => services().length === 0);
    started = await npmStart(data.path(), { SHUTDOWN_GRACE_SECONDS: '2' });
    const again = await ready(started.script);
    expect(again.split('/').at(-1)).to.equal(url.split('/').at(-1));
    expect(started.script.lines.filter((line) => line.includes('left behind'))).to.have.length(2);
    expect(await data.titles(again)).to.deep.equal(sent);
  });

  it('reports which store does not respond if Redis is frozen', async () => {
    signal(find(/redis-server/), 'SIGSTOP');
    const get = async (path: string) =>
      (await fetch(`http://127.0.0.1:${started.ports.workerAdmin}${path}`)).text();
    const saysWhich = async () =>
      /worker-1 is not ready: .*redis\\":\\"no answer within 500 ms/.test(await get('/readyz?verbose'));
    await until(saysWhich, { what: '/readyz reports that Redis does not respond' });
    expect(await get('/livez')).to.equal('ok\n');
    expect(await get('/metrics')).to.match(/^sluice_clock_offset_seconds\{[^}]*\} Nan$/m);
  });

  it('stops although Redis and the worker are frozen, and names both as killed', async () => {
    signal(find(/services\/worker/), 'SIGSTOP');
    // On Ctrl-C the terminal signals the whole foreground group.
    signal(-(started.script.child.pid ?? Number.NaN), 'SIGINT');
    await started.script.ended;
    const text = started.script.lines.join('\n');
    expect(text).to.match(/worker-1 did not stop within 2 s: killed/);
    expect(text).to.include('redis did not stop within 10 s: killed');
    expect(started.script.lines.at(-1)).to.include('stopped, but not cleanly: worker, redis');
    expect(text).to.match(/"clean":false,"overran":\[\],"failed":\["worker","redis"\]/);
    await data.allEnded();
  });
});
