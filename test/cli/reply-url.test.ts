import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeStack } from '@sluice/runtime/config/stack-file';
import { identify } from '@sluice/runtime/process-identity';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

describe('the reply URL of sluice channel', () => {
  const used = useInstallation();
  const REJECTED = [
    ['nonsense', 'Send a whole URL'],
    ['https://me:secret@chat.example.com', 'user name'],
    ['http://chat.example.com/replies', 'OUTBOUND_PRIVATE_NETWORKS=true sluice'],
    ['https://127.0.0.1:8443/replies', 'private or special network'],
  ] as const;

  for (const [url, expected] of REJECTED)
    it(`must not be ${url}, by the rules of the dashboard`, async () => {
      const [made] = await used.json('channel create --name Chat');
      const before = await used.json('channel list');
      for (const command of ['create --name Other', `update ${made?.channel_id}`]) {
        const done = await used.run(`channel ${command} --reply-url ${url} --json`);
        expect(done, command).to.include({ code: 2, stdout: '' });
        expect(done.stderr).to.contain(`--reply-url: `).and.contain(expected);
      }
      expect(await used.json('channel list')).to.deep.equal(before);
    });

  it('may be in a private network, and http, with OUTBOUND_PRIVATE_NETWORKS', async () => {
    const env = { env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } };
    const [made] = await used.json('channel create --name Chat --reply-url http://127.0.0.1:8999/a', env);
    expect(made).to.include({ reply_url: 'http://127.0.0.1:8999/a' });
    const [changed] = await used.json(
      `channel update ${made?.channel_id} --reply-url http://10.0.0.7/b`,
      env,
    );
    expect(changed).to.include({ reply_url: 'http://10.0.0.7/b' });
  });

  it('may be where a running npm start allows it, whose settings the command applies', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sluice-reply-url-'));
    const self = await identify(process.pid);
    const { REDIS_URL = '', MONGO_URL = '', SLUICE_NAMESPACE = '' } = used.env;
    await writeStack(dir, {
      ...{ pid: process.pid, started: '', ...self, started_at: '2026-11-21T00:00:00Z' },
      ...{ redis_url: REDIS_URL, mongo_url: MONGO_URL, namespace: SLUICE_NAMESPACE },
      events_url: 'http://localhost:3',
      api_url: 'http://localhost:4',
      settings: { OUTBOUND_PRIVATE_NETWORKS: 'true' },
    });
    try {
      const env = { DATA_DIR: dir };
      const url = 'http://127.0.0.1:8999/a';
      const [made] = await used.json(`channel create --name Chat --reply-url ${url}`, { env });
      expect(made).to.include({ reply_url: url });
      const denied = { ...env, OUTBOUND_PRIVATE_NETWORKS: 'false' };
      const done = await used.run(`channel update ${made?.channel_id} --reply-url ${url}`, { env: denied });
      expect(done.code).to.equal(2);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
