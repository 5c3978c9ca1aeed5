import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';

const run = promisify(execFile);

describe('docs: the commands of using-the-api.md', function () {
  this.timeout(60_000);
  let api: TestApi;
  const server = createServer();
  before(async () => {
    api = await startApi();
    server.on('request', api.app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    server.close();
    await api?.close();
  });

  it('succeed one after the other against a real API server, and make what they say', async () => {
    const page = await readFile(new URL('../../docs/using-the-api.md', import.meta.url), 'utf8');
    const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text);
    expect(commands.length).to.be.above(3);
    const accountId = await api.addAccount();
    const owner = await api.addPerson(accountId, 'owner');
    const scopes = ['read:leads', 'write:leads', 'webhooks'];
    const { key } = (await owner.call('post', '/keys', { name: 'docs', scopes, expires_at: null })).body;
    const strict = 'set -euo pipefail; curl() { command curl --fail-with-body "$@"; }';
    await run('bash', ['-c', [strict, ...commands].join('\n')], {
      env: {
        PATH: process.env.PATH ?? '',
        SLUICE_API_KEY: key,
        SLUICE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      },
    });
    const { items } = await owner.read('/leads');
    expect(items).to.have.length(1);
    expect(items[0]).to.include({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      company: 'Analytical Engines',
      stage: 'stg_contacted',
    });
  });
});
