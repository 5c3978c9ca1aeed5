import { expect } from 'chai';
import { until } from '../support/until.ts';
import { startRuntime } from './support/node-red-runtime.ts';
import { startSubscriptionsApi } from './support/subscriptions-api.ts';

const PUBLIC_URL = 'https://flows.example.com';
const client = { platform: 'node-red' };

describe('integrations: node-red-sluice removes the subscriptions that no node receives', () => {
  let api: Awaited<ReturnType<typeof startSubscriptionsApi>>;
  let runtime: ReturnType<typeof startRuntime>;
  beforeEach(async () => {
    api = await startSubscriptionsApi();
    runtime = startRuntime();
  });
  afterEach(() => api.close());

  const server = (id: string, apiKey: string, publicUrl = PUBLIC_URL) => ({
    ...{ id, type: 'sluice-config', baseUrl: api.url, publicUrl, credentials: { apiKey } },
  });
  const receiving = (id: string, serverId: string) => ({
    ...{ id, type: 'sluice-in', server: serverId, events: ['lead.created'] },
  });
  const hook = (id: string) => `${PUBLIC_URL}/sluice/${id}`;

  it('deletes that of a node that is gone, and keeps those of two servers with one key', async () => {
    for (const id of ['a', 'b', 'gone']) api.add('key_1', { target_url: hook(id), client });
    const [a, b] = api.list('key_1');
    await runtime.deploy(
      server('s1', 'key_1'),
      server('s2', 'key_1'),
      receiving('a', 's1'),
      receiving('b', 's2'),
    );
    expect(api.list('key_1')).to.deep.equal([a, b]);
  });

  it('keeps what another program and another Node-RED below the same address have', async () => {
    const others = [
      { target_url: `${PUBLIC_URL}/team2/sluice/a`, client },
      { target_url: hook('other'), client: { platform: 'n8n' } },
    ];
    for (const other of others) api.add('key_1', other);
    await runtime.deploy(server('s1', 'key_1'));
    expect(api.list('key_1').map(({ target_url }) => target_url)).to.deep.equal(
      others.map(({ target_url }) => target_url),
    );
  });

  it('deletes that of another account which a node had before its server was changed', async () => {
    const servers = [server('s1', 'key_1'), server('s2', 'key_2')] as const;
    await runtime.deploy(...servers, receiving('a', 's1'));
    await until(() => api.list('key_1').length === 1);
    await runtime.end();
    await runtime.deploy(...servers, receiving('a', 's2'));
    expect(api.list('key_2').map(({ target_url }) => target_url)).to.deep.equal([hook('a')]);
    expect(api.list('key_1')).to.deep.equal([]);
  });
});
