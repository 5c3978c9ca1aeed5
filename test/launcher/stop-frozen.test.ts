import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready, signal } from './support/npm-start.ts';

describe('npm start that is stopped', function () {
  this.timeout(240_000);
  const data = useDataDir();

  it('names every part that it had to kill, ends with 1, and the next one goes on', async () => {
    const { script } = await npmStart(data.path(), { SHUTDOWN_GRACE_SECONDS: '2' });
    const url = await ready(script);
    expect((await data.send(url, 'one')).status).to.equal(200);
    await data.applied(url, ['one']);
    for (const part of ['services/worker', 'redis']) {
      const found = processesOf(data.path()).find(({ command }) => command.includes(part));
      signal(found?.pid, 'SIGSTOP');
    }
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
