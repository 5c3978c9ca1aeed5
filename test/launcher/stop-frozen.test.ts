import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { until } from '../support/until.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready, signal } from './support/npm-start.ts';

describe('npm start whose Redis and worker are frozen', function () {
  this.timeout(240_000);
  const data = useDataDir();

  it('reports which store does not respond; its stop names every part that it killed, and the next start continues', async () => {
    const { script, ports } = await npmStart(data.path(), { SHUTDOWN_GRACE_SECONDS: '2' });
    const url = await ready(script);
    expect((await data.send(url, 'one')).status).to.equal(200);
    await data.applied(url, ['one']);
    const freeze = (part: string) =>
      signal(processesOf(data.path()).find(({ command }) => command.includes(part))?.pid, 'SIGSTOP');
    freeze('redis');
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${ports.workerAdmin}${path}`)).text();
    const saysWhich = async () =>
      /worker-1 is not ready: .*redis\\":\\"no answer within 500 ms/.test(await get('/readyz?verbose'));
    await until(saysWhich, { what: '/readyz reports that Redis does not respond' });
    expect(await get('/livez')).to.equal('ok\n');
    expect(await get('/metrics'))
      .to.include('sluice_process_up{process="worker-2",service="worker",namespace="sluice"} 1')
      .and.match(/^sluice_worker_actions_total\{[^}]*\} 1$/m)
      .and.match(/^sluice_clock_offset_seconds\{[^}]*\} Nan$/m);
    freeze('services/worker');
    script.child.kill('SIGTERM');
    expect(await script.ended).to.equal(1);
    const text = script.lines.join('\n');
    expect(text).to.match(/worker-[12] did not stop within 2 s: killed/);
    expect(text).to.include('redis did not stop within 10 s: killed');
    expect(script.lines.at(-1)).to.include('stopped, but not cleanly: worker, redis');
    expect(text).to.match(/"clean":false,"overran":\[\],"failed":\["worker","redis"\]/);
    await data.allEnded();

    const second = await npmStart(data.path());
    expect(await data.titles(await ready(second.script))).to.deep.equal(['one']);
    second.script.child.kill('SIGTERM');
    await second.script.ended;
  });
});
