import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { readRunningStack } from '@sluice/runtime/config/stack-file';
import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { runScript } from '../support/run-script.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready, takenPort } from './support/npm-start.ts';

const KEY = Buffer.alloc(32, 3).toString('base64');
const OLD_KEY = Buffer.alloc(32, 4).toString('base64');
const OTHER = 'a-secret-of-another-program';

/** One installation, from its start to its stop. */
describe('npm start', function () {
  this.timeout(240_000);
  const data = useDataDir();
  let started: Awaited<ReturnType<typeof npmStart>>;
  let url: string;
  before(async () => {
    started = await npmStart(data.path(), {
      SLUICE_SECRET_KEY: KEY,
      SLUICE_SECRET_KEYS_OLD: OLD_KEY,
      OTHER_SECRET: OTHER,
      OUTBOUND_PRIVATE_NETWORKS: 'true',
    });
    url = await ready(started.script);
  });

  /** The environments of the processes of a kind. */
  const environments = (kind: string) =>
    processesOf(data.path())
      .filter(({ command }) => kindOf(command) === kind)
      .map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8'));

  it('runs every service and applies an event', async () => {
    for (const port of [started.ports.ingressAdmin, started.ports.workerAdmin])
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).to.equal(200);
    expect((await data.send(url, 'one')).status).to.equal(200);
    await data.applied(url, ['one']);
  });

  it('serves the dashboard, and prints the link of its first owner', async () => {
    const dashboard = `http://127.0.0.1:${started.ports.api}`;
    expect(await (await fetch(dashboard)).text()).to.contain('<title>Sluice');
    const token = /\/welcome#token=(\S+)/.exec(started.script.lines.join('\n'))?.[1];
    const checked = await fetch(`${dashboard}${DASHBOARD_API}/welcome/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(await checked.json()).to.include({ kind: 'first_owner' });
  });

  it('notes the settings of its services for sluice', async () => {
    const stack = await readRunningStack(data.path());
    expect(stack?.settings).to.include({ OUTBOUND_PRIVATE_NETWORKS: 'true' });
  });

  if (existsSync('/proc/self/environ'))
    it('gives the secret key only to the ingress, the dispatcher and the API, and its stores no secret', () => {
      const knowing = ['ingress', 'dispatcher', 'api'];
      const kinds = [...knowing, 'worker', 'redis', 'mongodb'];
      expect(kinds.map((kind) => environments(kind).length)).to.deep.equal([1, 1, 1, 1, 1, 1]);
      for (const environ of knowing.flatMap(environments))
        expect(environ).to.contain(`SLUICE_SECRET_KEY=${KEY}`).and.contain(OLD_KEY);
      for (const environ of environments('worker'))
        expect(environ)
          .not.to.contain(KEY)
          .and.not.contain(OLD_KEY)
          .and.not.match(/^SLUICE_SECRET_KEY/m);
      for (const environ of [...environments('redis'), ...environments('mongodb')])
        for (const secret of [KEY, OLD_KEY, OTHER]) expect(environ).not.to.contain(secret);
    });

  it('rejects a second start with the same DATA_DIR, which stops nothing', async () => {
    const second = await npmStart(data.path());
    expect(await second.script.ended).to.equal(1);
    expect(second.script.lines.join('\n'))
      .to.include('npm start already runs on')
      .and.to.not.include('stopping');
    expect(await data.titles(url)).to.deep.equal(['one']);
  });

  it('ends every process when npm gets SIGTERM', async () => {
    started.script.child.kill('SIGTERM');
    expect(await started.script.ended).to.equal(0);
    expect(started.script.lines.at(-1)).to.contain('stopped');
    await data.allEnded();
  });
});

function kindOf(command: string): string {
  if (/redis-server|valkey-server/.test(command)) return 'redis';
  if (/embedded-mongodb|mongod /.test(command)) return 'mongodb';
  return /services\/(\w+)\/dist/.exec(command)?.[1] ?? 'other';
}

describe('npm start that cannot start', function () {
  this.timeout(240_000);
  const data = useDataDir();

  it('names the port that is in use and its variable, and leaves no process', async () => {
    const { script } = await npmStart(data.path(), {
      WORKER_ADMIN_PORT: '0',
      DISPATCHER_ADMIN_PORT: '0',
      INGRESS_PORT: String(await takenPort()),
    });
    expect(await script.ended).to.equal(1);
    expect(script.lines.join('\n')).to.match(
      /Port \d+ is already in use\. .* set INGRESS_PORT to a free port/,
    );
    await data.allEnded();
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

  it('reports every wrong variable at once, also a port that is named twice and an unusable DATA_DIR', async () => {
    const file = join(data.path(), 'a-file');
    writeFileSync(file, '');
    const { script } = await npmStart(data.path(), {
      DATA_DIR: file,
      WORKER_REPLICAS: 'many',
      RATE_LIMIT_BURST: '0',
      INGRESS_PORT: '18001',
      API_PORT: '18001',
    });
    expect(await script.ended).to.equal(78);
    expect(script.lines.join('\n'))
      .to.include('WORKER_REPLICAS: must be')
      .and.include('RATE_LIMIT_BURST: must be')
      .and.include(`DATA_DIR: ${file} cannot be used (`)
      .and.include('API_PORT: is 18001, the same as INGRESS_PORT; set one of them');
    await data.allEnded();
  });
});
