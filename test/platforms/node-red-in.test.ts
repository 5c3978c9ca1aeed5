import type { SubscriptionRecord } from '@sluice/contract/subscription/subscription';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { createFlows } from './support/flows.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { type FlowNode, type NodeRed, startNodeRed } from './support/node-red.ts';
import { startProxy } from './support/proxy.ts';

interface Delivery {
  readonly id: string;
  readonly attempts: readonly { readonly code: string }[];
}

interface Message {
  readonly topic: string;
  readonly payload: { readonly id: string; readonly email: string };
  readonly sluice: { readonly id: string; readonly type: string };
}

describe('node-red: the node sluice in', function () {
  this.timeout(300_000);
  let sluice: Installation;
  let nodeRed: NodeRed;
  let flows: ReturnType<typeof createFlows>;
  let key: string;
  before(async () => {
    [sluice, nodeRed] = await Promise.all([startInstallation(), startNodeRed()]);
    flows = createFlows({ apiUrl: sluice.apiUrl, publicUrl: nodeRed.url });
    key = await sluice.addKey();
  });
  after(async () => {
    await nodeRed?.remove();
    await sluice?.stop();
  });

  const hook = (id: string) => `${nodeRed.url}/sluice/${id}`;
  const list = async () => (await sluice.call<{ data: SubscriptionRecord[] }>(key, 'GET', '/webhooks')).data;
  const subscribed = async (...ids: string[]) => {
    const isSo = async () =>
      (await list())
        .map(({ target_url }) => target_url)
        .sort()
        .join() === ids.map(hook).sort().join();
    await until(isSo, { what: `subscriptions of ${ids.join() || 'nobody'}`, withinMs: 30_000 });
    return list();
  };
  const received = (id: string) => nodeRed.admin<Message[]>('GET', `/received/${id}`);
  const untilReceived = async (id: string, count: number) => {
    await until(async () => (await received(id)).length >= count, { what: `${count} messages of ${id}` });
    return received(id);
  };
  const deliveries = async (path: string) => (await sluice.call<{ data: Delivery[] }>(key, 'GET', path)).data;
  const deploy = (...nodes: FlowNode[][]) => nodeRed.deploy([...flows.base(key), ...nodes.flat()]);
  let leads = 0;
  const addLead = () =>
    sluice.call<{ id: string }>(key, 'POST', '/leads', { email: `lead${++leads}@example.com` });

  it('starts the flow once for a lead, with the record as payload', async () => {
    await deploy(flows.receiving('a1', ['lead.created']));
    const [subscription] = await subscribed('a1');
    expect(subscription).to.deep.include({ events: ['lead.created'], status: 'active' });
    expect(subscription?.client).to.include({ platform: 'node-red', workflow_name: 'In a1' });
    const lead = await addLead();
    const [message, ...others] = await untilReceived('a1', 1);
    expect(others).to.deep.equal([]);
    expect(message?.payload).to.include({ id: lead.id, email: `lead${leads}@example.com` });
    expect(message).to.include({ topic: 'lead.created' });
    expect(message?.sluice.id).to.match(/^msg_/);
  });

  it('rejects a message that Sluice did not sign with 401, and starts the flow once for a repeated one', async () => {
    await deploy(flows.receiving('b1', ['lead.created']));
    const [subscription] = await subscribed('b1');
    const forged = await fetch(hook('b1'), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': 'msg_forged',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
      body: '{"id":"msg_forged","type":"lead.created","data":{}}',
    });
    expect(forged.status).to.equal(401);
    await addLead();
    const [message] = (await untilReceived('b1', 1)) as [Message];
    const path = `/webhooks/${subscription?.id}/deliveries`;
    await until(async () => (await deliveries(path))[0]?.attempts.length === 1);
    await deploy(flows.receiving('b1', ['lead.created']));
    expect(await received('b1')).to.have.length(1);
    await sluice.call(key, 'POST', `${path}/${message.sluice.id}/redeliver`);
    await until(async () => (await deliveries(path))[0]?.attempts.length === 2);
    expect((await deliveries(path))[0]?.attempts.map(({ code }) => code)).to.deep.equal([
      'delivered',
      'delivered',
    ]);
    const next = await addLead();
    const all = await untilReceived('b1', 2);
    expect(all.map(({ payload }) => payload.id)).to.deep.equal([message.payload.id, next.id]);
  });

  it('keeps one subscription over deploys and a kill, and gets what it missed', async () => {
    const nodes = flows.receiving('c1', ['lead.created']);
    await deploy(nodes);
    const [before] = await subscribed('c1');
    await deploy(nodes);
    const moved = nodes.map((node) => ({ ...node, x: 200 }));
    await nodeRed.deploy([...flows.base(key), ...moved], 'nodes');
    await nodeRed.stop('SIGKILL');
    const missed = await addLead();
    const path = `/webhooks/${before?.id}/deliveries`;
    await until(async () => (await deliveries(path))[0]?.attempts[0] !== undefined);
    await nodeRed.start();
    await sluice.call(key, 'POST', `${path}/${(await deliveries(path))[0]?.id}/redeliver`);
    const [message] = await untilReceived('c1', 1);
    expect(message?.payload.id).to.equal(missed.id);
    expect((await subscribed('c1'))[0]?.id).to.equal(before?.id);
  });

  it('takes over changed events and filters into the same subscription', async () => {
    await deploy(flows.receiving('d1', ['lead.created']));
    const [before] = await subscribed('d1');
    await deploy(flows.receiving('d1', ['lead.updated'], { stage: 'stg_contacted', ordered: true }));
    await until(async () => (await list())[0]?.events.join() === 'lead.updated');
    const [after] = await list();
    expect(after).to.include({ id: before?.id, ordered: true });
    expect(after?.filter.stage).to.equal('stg_contacted');
  });

  it('leaves no subscription behind when the node is removed or disabled', async () => {
    const kept = flows.receiving('e1', ['lead.created']);
    await deploy(kept, flows.receiving('e2', ['lead.created']), flows.receiving('e3', ['lead.created']));
    await subscribed('e1', 'e2', 'e3');
    await deploy(kept, flows.receiving('e3', ['lead.created']));
    await subscribed('e1', 'e3');
    await deploy(kept, flows.receiving('e3', ['lead.created'], { d: true }));
    await subscribed('e1');
    expect((await fetch(hook('e2'), { method: 'POST', body: '{}' })).status).to.equal(404);
    await nodeRed.deploy(flows.base(key), 'nodes');
    await subscribed();
  });

  it('moves the subscription to a changed public URL', async () => {
    await deploy(flows.receiving('01', ['lead.created']));
    await subscribed('01');
    const publicUrl = nodeRed.url.replace('127.0.0.1', 'localhost');
    await nodeRed.deploy([...flows.base(key, { publicUrl }), ...flows.receiving('01', ['lead.created'])]);
    await until(
      async () => (await list()).map(({ target_url }) => target_url).join() === `${publicUrl}/sluice/01`,
    );
  });

  it('gets the new secret when it was rotated, without a deploy', async () => {
    await deploy(flows.receiving('02', ['lead.created']));
    const [subscription] = await subscribed('02');
    await sluice.call(key, 'POST', `/webhooks/${subscription?.id}/rotate-secret`, { overlap: 'none' });
    const lead = await addLead();
    const [message] = await untilReceived('02', 1);
    expect(message?.payload.id).to.equal(lead.id);
  });

  it('says why a subscription was rejected, and that a server is missing', async () => {
    const weak = await sluice.addKey(['read:leads']);
    await nodeRed.deploy([...flows.base(weak), ...flows.receiving('03', ['lead.created'])]);
    await until(() => /Sluice rejected the subscription\. .*webhooks/.test(nodeRed.output()));
    const refused = await sluice.pipeline.store.refusedSubscriptions.listRefused(sluice.accountId);
    expect(refused[0]).to.deep.include({ code: 'scope_missing' });
    await nodeRed.deploy([...flows.base(key), ...flows.receiving('04', ['lead.created'], { server: '' })]);
    await until(() => /Choose a Sluice server in this node/.test(nodeRed.output()));
  });

  it('subscribes once Sluice responds, if it does not at the deploy', async () => {
    const proxy = await startProxy(sluice.apiUrl);
    await proxy.setOpen(false);
    await nodeRed.deploy([
      ...flows.base(key, { baseUrl: proxy.url }),
      ...flows.receiving('05', ['lead.created']),
    ]);
    expect(await list()).to.deep.equal([]);
    await proxy.setOpen(true);
    await subscribed('05');
    await deploy();
    await subscribed();
    await proxy.close();
  });

  it('fills the menus of the editor from the account, and the event kinds before the first deploy', async () => {
    await deploy(flows.receiving('06', ['lead.created']));
    const menu = (path: string) => nodeRed.admin<{ id: string; name: string }[]>('GET', `/sluice/${path}`);
    const server = 'f000000000000002';
    expect(await menu(`${server}/pipeline-stages`)).to.deep.include({
      id: 'stg_contacted',
      name: 'Contacted',
    });
    expect((await menu(`${server}/sources`)).map(({ id }) => id)).to.include(sluice.source.sourceId);
    const kinds = await menu(`${server}/event-kinds`);
    expect(kinds).to.deep.include({ id: 'lead.created', name: 'Lead created' });
    expect(await menu('none/event-kinds')).to.deep.equal(kinds);
  });
});
