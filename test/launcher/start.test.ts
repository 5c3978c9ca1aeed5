import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DASHBOARD_API } from '@sluice/contract/dashboard/route';
import { readRunningStack } from '@sluice/runtime/stack-file';
import { expect } from 'chai';
import { post } from '../support/post.ts';
import { processesOf } from '../support/processes-of.ts';
import { watch } from '../support/run-script.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { npmStart, ROOT, ready, signal, takenPort } from './support/npm-start.ts';

describe('npm start', function () {
  this.timeout(240_000);
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-start-'));
  });
  afterEach(() => {
    for (const { pid } of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const send = (url: string, title: string) => {
    const secret = readFileSync(join(dataDir, 'demo-signing-secret'), 'utf8').trim();
    return post(url, signed({ secret, body: upsertBody({ title }) }));
  };
  const titles = async (url: string) => {
    const args = [
      'services/cli/bin/sluice.mjs',
      'events',
      'list',
      '--json',
      '--source',
      url.split('/').at(-1) ?? '',
    ];
    const list = watch(
      spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } }),
    );
    expect(await list.ended, list.lines.join('\n')).to.equal(0);
    return list.lines.map((line) => (JSON.parse(line) as { title: string }).title).sort();
  };
  const applied = (url: string, wanted: readonly string[]) =>
    until(async () => (await titles(url)).join() === wanted.join(), {
      withinMs: 90_000,
      what: `events ${wanted}`,
    });
  const allEnded = () => until(() => processesOf(dataDir).length === 0, { what: 'no process is left' });

  it('runs everything, and SIGTERM to npm leaves no process; the next one finds all data', async () => {
    const first = await npmStart(dataDir);
    const url = await ready(first.script);
    for (const port of [first.ports.ingressAdmin, first.ports.workerAdmin]) {
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).to.equal(200);
    }
    const dashboard = `http://127.0.0.1:${first.ports.api}`;
    expect(await (await fetch(dashboard)).text()).to.contain('<title>Sluice');
    const token = /\/welcome#token=(\S+)/.exec(first.script.lines.join('\n'))?.[1];
    const asked = await fetch(`${dashboard}${DASHBOARD_API}/welcome/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(await asked.json(), 'the printed link').to.include({ kind: 'first_owner' });
    expect((await send(url, 'one')).status).to.equal(200);
    await applied(url, ['one']);
    const count = (part: string) =>
      processesOf(dataDir).filter(({ command }) => command.includes(part)).length;
    expect(['redis', 'services/ingress', 'services/worker'].map(count)).to.deep.equal([1, 2, 2]);
    first.script.child.kill('SIGTERM');
    expect(await first.script.ended).to.equal(0);
    expect(first.script.lines.at(-1)).to.contain('stopped');
    await allEnded();

    const second = await npmStart(dataDir);
    const again = await ready(second.script);
    expect(again.split('/').at(-1)).to.equal(url.split('/').at(-1));
    expect(await titles(again)).to.deep.equal(['one']);
    // Ctrl-C: the terminal sends it to the whole foreground group.
    signal(-(second.script.child.pid ?? Number.NaN), 'SIGINT');
    await second.script.ended;
    await allEnded();
  });

  it('brings back whatever is killed, and loses nothing that got a 200', async () => {
    const { script } = await npmStart(dataDir);
    const url = await ready(script);
    const sent: string[] = [];
    for (const victim of ['services/worker', 'services/ingress', 'redis-server', 'embedded-mongodb|mongod']) {
      const found = processesOf(dataDir).find(({ command }) => new RegExp(victim).test(command));
      signal(found?.pid, 'SIGKILL');
      const title = `after ${victim}`;
      // 503 and connection resets are the sender's to retry.
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

  it('that was killed leaves no service, and the next one stops its stores and finds all data', async () => {
    const first = await npmStart(dataDir);
    const url = await ready(first.script);
    expect((await send(url, 'kept')).status).to.equal(200);
    signal((await readRunningStack(dataDir))?.pid, 'SIGKILL');
    await first.script.ended;
    await until(() => processesOf(dataDir).every(({ command }) => !command.includes('services/')));

    const second = await npmStart(dataDir);
    const again = await ready(second.script);
    expect(second.script.lines.filter((line) => line.includes('left behind'))).to.have.length(2);
    await applied(again, ['kept']);
    second.script.child.kill('SIGTERM');
    await second.script.ended;
    await allEnded();
  });

  it('stops when a port is in use, naming port and variable', async () => {
    const { script } = await npmStart(dataDir, {
      WORKER_ADMIN_PORT: '0',
      INGRESS_PORT: String(await takenPort()),
    });
    expect(await script.ended).to.equal(1);
    expect(script.lines.join('\n')).to.match(
      /Port \d+ is already in use\. .* set INGRESS_PORT to a free port/,
    );
    await allEnded();
  });

  it('reports every wrong variable at once and starts nothing', async () => {
    const { script } = await npmStart(dataDir, { INGRESS_REPLICAS: 'many', RATE_LIMIT_BURST: '0' });
    expect(await script.ended).to.equal(78);
    const text = script.lines.join('\n');
    expect(text).to.include('INGRESS_REPLICAS: must be').and.to.include('RATE_LIMIT_BURST: must be');
    await allEnded();
  });
});
