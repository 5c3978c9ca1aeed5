import type { SubscriptionRecord } from '@sluice/contract/subscription';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { createFlows } from './support/flows.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { type FlowNode, type NodeRed, startNodeRed } from './support/node-red.ts';


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
});
