import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { serve } from '../support/serve.ts';
import { use } from '../support/use.ts';
import { useApi } from '../support/use-api.ts';

const run = promisify(execFile);

describe('docs: the commands of using-the-api.md', function () {
  this.timeout(60_000);
  const api = useApi();
  const server = use(() => serve(api.app));

  it('succeed one after the other against a real API server, and make what they say', async () => {
    const page = await readFile(new URL('../../docs/using-the-api.md', import.meta.url), 'utf8');
    const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text);
    expect(commands.length).to.be.above(3);
    const scopes = ['read:leads', 'write:leads', 'webhooks'];
    const { key } = (await api.owner.call('post', '/keys', { name: 'docs', scopes, expires_at: null })).body;
    const strict = 'set -euo pipefail; curl() { command curl --fail-with-body "$@"; }';
    await run('bash', ['-c', [strict, ...commands].join('\n')], {
      env: { PATH: process.env.PATH ?? '', SLUICE_API_KEY: key, SLUICE_URL: server?.url },
    });
    const { items } = await api.owner.read('/leads');
    expect(items).to.have.length(1);
    expect(items[0]).to.include({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      company: 'Analytical Engines',
      stage: 'stg_contacted',
    });
  });
});
