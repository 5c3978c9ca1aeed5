import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAction } from '@sluice/contract/event/parse-bytes';
import { signBody } from '@sluice/signature/sign';
import { expect } from 'chai';
import { banner, curlCommand } from '../../tools/launcher/src/banner.ts';
import { type Demo, keepDemoSecret } from '../../tools/launcher/src/demo-source.ts';

const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const source = {
  sourceId: 'src_1',
  endpointUrl: 'http://localhost:8080/api/v1/events/webhook/src_1',
  signingSecret: SECRET,
};

const dashboard = { url: 'http://localhost:8081', ownerLink: 'http://localhost:8081/welcome#token=abc' };

/** Replaces curl, and prints its arguments. */
const CURL = `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)));\n`;

describe('the command that npm start prints', () => {
  let dir: string;
  let demo: Demo;
  before(async () => {
    // Real folders contain spaces and quotes.
    dir = mkdtempSync(join(tmpdir(), "sluice it's here-"));
    demo = await keepDemoSecret(dir, source);
    writeFileSync(join(dir, 'curl'), CURL);
    chmodSync(join(dir, 'curl'), 0o755);
  });
  after(() => rmSync(dir, { recursive: true }));

  it('signs a request with a fresh timestamp, and the ingress accepts it', () => {
    const now = Date.now();
    const command = curlCommand({ demo, cwd: '/', now });
    const env = { ...process.env, PATH: `${dir}:${process.env.PATH}` };
    const run = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', command], {
      encoding: 'utf8',
      env,
      cwd: '/',
      // With a socket on standard input, bash assumes a remote shell and reads the machine's bashrc.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(run.stderr).to.equal('');
    const args = JSON.parse(run.stdout) as string[];
    const headers = new Map(
      args.filter((_, at) => args[at - 1] === '-H').map((header) => header.split(': ') as [string, string]),
    );
    const body = Buffer.from(args.at(-1) ?? '');
    const timestamp = headers.get('X-Service-Timestamp') ?? '';
    expect(Math.abs(Number(timestamp) * 1000 - now)).to.be.below(60_000);
    expect(headers.get('X-Service-Signature')).to.equal(signBody({ secret: SECRET, timestamp, body }));
    expect(headers.get('Content-Type')).to.equal('application/json');
    expect(args).to.include(source.endpointUrl);
    expect(parseAction(body)).to.have.property('outcome', 'valid');
  });

  it('does not show the secret, which is in a file that only its owner can read', () => {
    expect(
      banner({ demo, dashboard, cwd: '/', now: Date.now(), logPath: '/logs', dataDir: '/data' }),
    ).not.to.include(SECRET);
    expect(readFileSync(demo.secretFile, 'utf8')).to.equal(`${SECRET}\n`);
    expect(statSync(demo.secretFile).mode & 0o777).to.equal(0o600);
  });

  it('shows the link that creates the first owner, or the address of the dashboard if there is one', () => {
    const settings = { demo, cwd: '/', now: Date.now(), logPath: '/logs', dataDir: '/data' };
    expect(banner({ ...settings, dashboard })).to.include(dashboard.ownerLink);
    const owned = banner({ ...settings, dashboard: { ...dashboard, ownerLink: null } });
    expect(owned).to.include(dashboard.url).and.not.include('#token=');
  });

  it('is followed by the next commands to run', () => {
    const text = banner({ demo, dashboard, cwd: '/', now: Date.now(), logPath: '/logs', dataDir: '/data' });
    for (const part of [
      source.endpointUrl,
      'npx sluice events list --source src_1',
      'npx sluice deliveries list --source src_1',
    ]) {
      expect(text).to.include(part);
    }
  });

  it('names a DATA_DIR that another terminal does not know', () => {
    const settings = { demo, dashboard, cwd: '/home/ada', now: Date.now(), logPath: '/logs' };
    const text = (dataDir: string) => banner({ ...settings, dataDir });
    expect(text('/mnt/it is here')).to.include(
      "DATA_DIR='/mnt/it is here' npx sluice events list --source src_1",
    );
    expect(text('/home/ada/data')).not.to.include('DATA_DIR');
  });

  it('uses the new secret after a rotation', async () => {
    const again = await keepDemoSecret(dir, { ...source, signingSecret: 'whsec_new' });
    expect(readFileSync(again.secretFile, 'utf8')).to.equal('whsec_new\n');
  });
});
