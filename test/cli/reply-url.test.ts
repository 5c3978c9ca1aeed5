import { expect } from 'chai';
import { expectFailure, useInstallation } from './support.ts';

describe('the reply URL of sluice channel', () => {
  const used = useInstallation();
  const REJECTED = [
    ['nonsense', 'Send a whole URL'],
    ['https://me:secret@chat.example.com', 'user name'],
    ['http://chat.example.com/replies', 'OUTBOUND_ALLOW=host sluice'],
    ['https://127.0.0.1:8443/replies', 'private or special network'],
  ] as const;

  for (const [url, expected] of REJECTED)
    it(`must not be ${url}, by the rules of the dashboard`, async () => {
      const [made] = await used.json('channel create --name Chat');
      const before = await used.json('channel list');
      for (const command of ['create --name Other', `update ${made?.channel_id}`]) {
        const done = await used.run(`channel ${command} --reply-url ${url} --json`);
        expectFailure(done, 2, `--reply-url: `).and.contain(expected);
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
});
