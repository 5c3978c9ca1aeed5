import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { readRunningStack } from '@sluice/runtime/config/stack-file';
import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { runScript } from '../support/run-script.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready, signal, takenPort } from './support/npm-start.ts';

describe('npm start', function () {
  this.timeout(240_000);
  const data = useDataDir();
  const { send, titles, applied, allEnded } = data;

  it('runs all services; SIGTERM to npm ends every process, and the next start finds all data', async () => {
    const first = await npmStart(data.path(), { OUTBOUND_PRIVATE_NETWORKS: 'true' });
    const url = await ready(first.script);
    expect((await readRunningStack(data.path()))?.settings).to.include({ OUTBOUND_PRIVATE_NETWORKS: 'true' });
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
      processesOf(data.path()).filter(({ command }) => command.includes(part)).length;
    expect(['redis', 'services/ingress', 'services/worker'].map(count)).to.deep.equal([1, 2, 2]);
    const refused = await npmStart(data.path());
    expect(await refused.script.ended).to.equal(1);
    const said = refused.script.lines.join('\n');
    expect(said).to.include('npm start already runs on').and.to.not.include('stopping');
    first.script.child.kill('SIGTERM');
    expect(await first.script.ended).to.equal(0);
    expect(first.script.lines.at(-1)).to.contain('stopped');
    await allEnded();

    const second = await npmStart(data.path());
    const again = await ready(second.script);
    expect(again.split('/').at(-1)).to.equal(url.split('/').at(-1));
    expect(await titles(again)).to.deep.equal(['one']);
    // On Ctrl-C the terminal signals the whole foreground group.
    signal(-(second.script.child.pid ?? Number.NaN), 'SIGINT');
    await second.script.ended;
    await allEnded();
  });

  it('exits if a port is in use, and names the port and its variable', async () => {
    const { script } = await npmStart(data.path(), {
      WORKER_ADMIN_PORT: '0',
      DISPATCHER_ADMIN_PORT: '0',
      INGRESS_PORT: String(await takenPort()),
    });
    expect(await script.ended).to.equal(1);
    expect(script.lines.join('\n')).to.match(
      /Port \d+ is already in use\. .* set INGRESS_PORT to a free port/,
    );
    await allEnded();
  });

  it('exits before it installs if a main port is in use', async () => {
    const module = new URL('../../scripts/lib/check-ports.mjs', import.meta.url).href;
    const env = { INGRESS_PORT: '0', API_PORT: String(await takenPort()) };
    const script = runScript(
      `import { checkPorts } from '${module}'; await checkPorts(${JSON.stringify(env)}); console.log('installs');`,
    );
    expect(await script.ended).to.equal(1);
    expect(script.lines.join()).to.match(/Port \d+ is already in use.* set API_PORT/);
  });

  it('exits if HOST is not an address of the machine, and names it and the remedy', async () => {
    // 192.0.2.0/24 is reserved for documentation (RFC 5737).
    const { script } = await npmStart(data.path(), { HOST: '192.0.2.1' });
    expect(await script.ended).to.equal(1);
    const text = script.lines.join('\n');
    expect(text).to.include('no address 192.0.2.1 to listen on. Set HOST').and.not.include('    at ');
    await allEnded();
  });

  it('reports every wrong variable at once and starts nothing', async () => {
    const { script } = await npmStart(data.path(), { INGRESS_REPLICAS: 'many', RATE_LIMIT_BURST: '0' });
    expect(await script.ended).to.equal(78);
    const text = script.lines.join('\n');
    expect(text).to.include('INGRESS_REPLICAS: must be').and.to.include('RATE_LIMIT_BURST: must be');
    await allEnded();
  });

  it('reports an unusable DATA_DIR and a duplicate port with the other errors, and starts nothing', async () => {
    const file = join(data.path(), 'a-file');
    writeFileSync(file, '');
    const { script } = await npmStart(data.path(), {
      DATA_DIR: file,
      WORKER_REPLICAS: 'many',
    });
    expect(await script.ended).to.equal(78);
    const text = script.lines.join('\n');
    expect(text).to.include('WORKER_REPLICAS: must be').and.to.include(`DATA_DIR: ${file} cannot be used (`);
    const folder = join(data.path(), 'with-a-folder-for-a-log');
    mkdirSync(join(folder, 'logs', 'services.log'), { recursive: true });
    const unlogged = await npmStart(data.path(), { DATA_DIR: folder });
    expect(await unlogged.script.ended).to.equal(78);
    expect(unlogged.script.lines.join('\n'))
      .to.include(`DATA_DIR: ${folder} cannot be used (`)
      .and.include('services.log');
    const twice = await npmStart(data.path(), { INGRESS_PORT: '18001', API_PORT: '18001' });
    expect(await twice.script.ended).to.equal(78);
    expect(twice.script.lines.join('\n')).to.include(
      'API_PORT: is 18001, the same as INGRESS_PORT; set one of them',
    );
    await allEnded();
  });
});
