import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { processesOf } from '../support/processes-of.ts';
import { useDataDir } from './support/data-dir.ts';
import { npmStart, ready } from './support/npm-start.ts';

const KEY = Buffer.alloc(32, 3).toString('base64');
const OLD_KEY = Buffer.alloc(32, 4).toString('base64');
const OTHER = 'a-secret-of-another-program';

describe('npm start: the environment of each process', function () {
  this.timeout(240_000);
  const data = useDataDir();

  before(function () {
    if (!existsSync('/proc/self/environ')) this.skip();
  });

  it('contains the secret key only in the ingress and the API, not in workers and stores', async () => {
    const env = { SLUICE_SECRET_KEY: KEY, SLUICE_SECRET_KEYS_OLD: OLD_KEY, OTHER_SECRET: OTHER };
    const { script } = await npmStart(data.path(), env);
    await ready(script);
    const found = processesOf(data.path()).map(({ pid, command }) => ({
      kind: kindOf(command),
      environ: readFileSync(`/proc/${pid}/environ`, 'utf8'),
    }));
    const of = (kind: string) => found.filter((one) => one.kind === kind).map(({ environ }) => environ);
    expect(of('worker')).to.have.length(2);
    for (const environ of of('worker'))
      expect(environ)
        .not.to.contain(KEY)
        .and.not.contain(OLD_KEY)
        .and.not.match(/^SLUICE_SECRET_KEY/m);
    expect(of('redis')).to.have.length(1);
    expect(of('mongodb')).to.have.length(1);
    for (const environ of [...of('redis'), ...of('mongodb')])
      for (const secret of [KEY, OLD_KEY, OTHER]) expect(environ).not.to.contain(secret);
    expect([...of('ingress'), ...of('api')]).to.have.length(3);
    for (const environ of [...of('ingress'), ...of('api')])
      expect(environ).to.contain(`SLUICE_SECRET_KEY=${KEY}`).and.contain(OLD_KEY);

    script.child.kill('SIGTERM');
    expect(await script.ended).to.equal(0);
    await data.allEnded();
  });
});

function kindOf(command: string): string {
  if (/redis-server|valkey-server/.test(command)) return 'redis';
  if (/embedded-mongodb|mongod /.test(command)) return 'mongodb';
  return /services\/(\w+)\/dist/.exec(command)?.[1] ?? 'other';
}
