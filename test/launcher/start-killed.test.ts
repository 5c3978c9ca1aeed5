import { readRunningStack } from '@sluice/runtime/config/stack-file';
import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { until } from '../support/until.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready, signal } from './support/npm-start.ts';

describe('npm start, if processes are killed', function () {
  this.timeout(240_000);
  const data = useDataDir();
  const { send, applied, allEnded } = data;

  it('restarts each killed process, and loses nothing that got a 200', async () => {
    const { script } = await npmStart(data.path());
    const url = await ready(script);
    const sent: string[] = [];
    for (const victim of ['services/worker', 'services/ingress', 'redis-server', 'embedded-mongodb|mongod']) {
      const found = processesOf(data.path()).find(({ command }) => new RegExp(victim).test(command));
      signal(found?.pid, 'SIGKILL');
      const title = `after ${victim}`;
      // Senders retry a 503 and a reset connection.
      await until(async () => (await send(url, title).catch(() => ({ status: 0 }))).status === 200, {
        withinMs: 90_000,
      });
      sent.push(title);
    }
    await applied(url, sent.sort());
    script.child.kill('SIGTERM');
    await script.ended;
    await allEnded();
  });

  it('leaves no service if it is killed while its services load', async () => {
    const { script } = await npmStart(data.path());
    const services = () =>
      processesOf(data.path()).filter(({ command }) => /services\/\w+\/dist/.test(command));
    await until(() => services().length > 0, { what: 'a service starts' });
    signal((await readRunningStack(data.path()))?.pid, 'SIGKILL');
    await script.ended;
    await until(() => services().length === 0);
  });

  it('leaves no service if it is killed; the next one stops its stores and finds all data', async () => {
    const first = await npmStart(data.path());
    const url = await ready(first.script);
    expect((await send(url, 'kept')).status).to.equal(200);
    signal((await readRunningStack(data.path()))?.pid, 'SIGKILL');
    await first.script.ended;
    await until(() => processesOf(data.path()).every(({ command }) => !command.includes('services/')));

    const second = await npmStart(data.path());
    const again = await ready(second.script);
    expect(second.script.lines.filter((line) => line.includes('left behind'))).to.have.length(2);
    await applied(again, ['kept']);
    second.script.child.kill('SIGTERM');
    await second.script.ended;
    await allEnded();
  });
});
