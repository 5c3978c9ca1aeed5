import { expect } from 'chai';
import { until } from '../support/until.ts';
import { type Kept, startRuntime } from './support/node-red-runtime.ts';
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

  it('deletes those of an earlier httpNodeRoot and public URL after a restart, and no others below that', async () => {
    const kept: Kept = new Map();
    const flow = (publicUrl: string) => [server('s1', 'key_1', publicUrl), receiving('a', 's1')] as const;
    const urls = () => api.list('key_1').map(({ target_url }) => target_url);
    const restart = async (root: string, publicUrl: string) => {
      await startRuntime({ root, kept }).deploy(...flow(publicUrl));
      await until(() => urls().length === 2, { what: 'one subscription, and that of another Node-RED' });
      return urls().at(-1);
    };
    const other = `${PUBLIC_URL}/team2/sluice/a`;
    api.add('key_1', { target_url: other, client });
    expect(await restart('/', PUBLIC_URL)).to.equal(hook('a'));
    expect(await restart('/red', PUBLIC_URL)).to.equal(`${PUBLIC_URL}/red/sluice/a`);
    const moved = 'https://moved.example.com';
    expect(await restart('/red', moved)).to.equal(`${moved}/red/sluice/a`);
    // The earlier address can belong to another Node-RED by now.
    api.add('key_1', { target_url: hook('a'), client });
    await startRuntime({ root: '/red', kept }).deploy(...flow(moved));
    expect(urls()).to.have.members([other, `${moved}/red/sluice/a`, hook('a')]);
  });

  it('keeps those of the original in a copy of its user directory that has another public URL', async () => {
    const kept: Kept = new Map();
    await startRuntime({ kept }).deploy(server('s1', 'key_1'), receiving('a', 's1'));
    await until(() => api.list('key_1').length === 1);
    const staging = 'https://staging.example.com';
    const copy = startRuntime({ kept: new Map(kept), userDir: '/copy' });
    await copy.deploy(server('s1', 'key_1', staging), receiving('a', 's1'));
    await until(() => api.list('key_1').length > 1);
    expect(api.list('key_1').map(({ target_url }) => target_url)).to.have.members([
      hook('a'),
      `${staging}/sluice/a`,
    ]);
  });

  it('keeps that of an earlier address while the node has a fault or its new URL is rejected', async () => {
    const kept: Kept = new Map();
    const urls = () => api.list('key_1').map(({ target_url }) => target_url);
    const restart = (root: string, httpNodeAuth?: object) => {
      const started = startRuntime({ root, kept });
      started.settings.httpNodeAuth = httpNodeAuth;
      return started.deploy(server('s1', 'key_1'), receiving('a', 's1'));
    };
    await restart('/');
    await until(() => urls().length === 1);
    await restart('/red', { user: 'admin' });
    expect(urls()).to.deep.equal([hook('a')]);
    api.rejected.add(`${PUBLIC_URL}/red/sluice/a`);
    await restart('/red');
    expect(urls()).to.deep.equal([hook('a')]);
    api.rejected.clear();
    await restart('/red');
    expect(urls()).to.deep.equal([`${PUBLIC_URL}/red/sluice/a`]);
  });

  it('moves that of an earlier address where the account is full, and then receives with it', async () => {
    const kept: Kept = new Map();
    const flow = (publicUrl: string) => [server('s1', 'key_1', publicUrl), receiving('a', 's1')] as const;
    await startRuntime({ kept }).deploy(...flow(PUBLIC_URL));
    await until(() => api.list('key_1').length === 1);
    const [before] = api.list('key_1');
    api.limits.most = 1;
    const moved = startRuntime({ kept });
    await moved.deploy(...flow('https://moved.example.com'));
    expect(api.list('key_1')).to.deep.equal([
      { ...before, target_url: 'https://moved.example.com/sluice/a' },
    ]);
    expect(moved.shown('a').at(-1)).to.include({ fill: 'green' });
  });

  it('moves nothing of another account to a node whose account is full, and deletes what no node receives', async () => {
    const kept: Kept = new Map();
    const servers = (publicUrl: string) => [
      server('s1', 'key_1', publicUrl),
      server('s2', 'key_2', publicUrl),
    ];
    await startRuntime({ kept }).deploy(...servers(PUBLIC_URL), receiving('a', 's1'));
    await until(() => api.list('key_1').length === 1);
    const [before] = api.list('key_1');
    api.add('key_1', { target_url: hook('gone'), client });
    api.add('key_2', { target_url: 'https://other.example.com', client: { platform: 'n8n' } });
    api.limits.most = 1;
    const moved = startRuntime({ kept });
    await moved.deploy(...servers('https://moved.example.com'), receiving('a', 's2'));
    expect(api.list('key_1')).to.deep.equal([before]);
    expect(moved.shown('a').at(-1)).to.include({ fill: 'red' });
    await moved.end();
  });

  it('keeps that of a node with a fault until the node is gone', async () => {
    const kept = api.add('key_1', { target_url: hook('a'), client });
    await runtime.deploy(server('s1', 'key_1'), { ...receiving('a', 's1'), events: [] });
    await runtime.deploy(server('s1', 'key_1'), { ...receiving('a', 's1'), server: 'missing' });
    runtime.settings.httpNodeAuth = { user: 'admin' };
    await runtime.deploy(server('s1', 'key_1'), receiving('a', 's1'));
    expect(api.list('key_1')).to.deep.equal([kept]);
    await runtime.end();
    await runtime.deploy(server('s1', 'key_1'));
    expect(api.list('key_1')).to.deep.equal([]);
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
