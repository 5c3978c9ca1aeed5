import type { SubscriptionRecord } from '@sluice/contract/subscription';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { type N8n, startN8n } from './support/n8n.ts';
import { type Credential, createEditor, type Workflow } from './support/workflows.ts';

const TRIGGER = 'Sluice Trigger';

/** Sluice tries again after 5 s, a minute and 5 minutes, and n8n answers 404 while it starts. */
const RETRIED_WITHIN_MS = 420_000;

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: readonly { readonly code: string }[];
}

describe('n8n: the Sluice Trigger node', function () {
  this.timeout(900_000);
  let sluice: Installation;
  let n8n: N8n;
  let editor: ReturnType<typeof createEditor>;
  let key: string;
  let credential: Credential;
  before(async () => {
    [sluice, n8n] = await Promise.all([startInstallation(), startN8n()]);
    editor = createEditor(n8n);
    key = await sluice.addKey();
    credential = await editor.addCredential('sluiceApi', { baseUrl: sluice.apiUrl, apiKey: key });
  });
  after(async () => {
    await n8n?.remove();
    await sluice?.stop();
  });

  const addWorkflow = (events: string[], using = credential, more: object = {}) =>
    editor.addWorkflow([
      {
        name: TRIGGER,
        type: 'n8n-nodes-sluice.sluiceTrigger',
        typeVersion: 1,
        parameters: { events, ...more },
        credentials: { sluiceApi: using },
      },
    ]);
  const webhookUrl = ({ webhookIds }: Workflow) => `${n8n.url}/webhook/${webhookIds[TRIGGER]}/webhook`;
  const subscriptions = async (workflow: Workflow) => {
    const { data } = await sluice.call<{ data: SubscriptionRecord[] }>(key, 'GET', '/webhooks');
    return data.filter(({ target_url }) => target_url === webhookUrl(workflow));
  };
  const subscribed = async (workflow: Workflow, count: number) => {
    const isSo = async () => (await subscriptions(workflow)).length === count;
    await until(isSo, { what: `${count} subscriptions` });
    return subscriptions(workflow);
  };
  let leads = 0;
  const addLead = () =>
    sluice.call<{ id: string }>(key, 'POST', '/leads', { email: `lead${++leads}@example.com` });

  it('runs a workflow once for a lead, and leaves no subscription behind', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await editor.publish(workflow);
    const [subscription] = await subscribed(workflow, 1);
    expect(subscription).to.deep.include({ events: ['lead.created'], target_url: webhookUrl(workflow) });
    expect(subscription?.client).to.include({ platform: 'n8n', workflow_name: 'Workflow' });
    const lead = await addLead();
    const [execution] = await editor.executed(workflow, 1);
    expect(execution?.status).to.equal('success');
    expect(execution?.items[TRIGGER]).to.have.length(1);
    expect(execution?.items[TRIGGER]?.[0]).to.include({
      id: lead.id,
      email: `lead${leads}@example.com`,
      event: 'lead.created',
    });
    await editor.unpublish(workflow);
    await subscribed(workflow, 0);
    expect(await editor.executions(workflow)).to.have.length(1);
  });

  it('runs what happened while n8n was down, once, and goes on with the same subscription', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await editor.publish(workflow);
    const [before] = await subscribed(workflow, 1);
    await n8n.stop('SIGKILL');
    const missed = await addLead();
    const path = `/webhooks/${before?.id}/deliveries`;
    const read = async () => (await sluice.call<{ data: Delivery[] }>(key, 'GET', path)).data[0];
    await until(async () => (await read())?.attempts[0]?.code === 'connection_refused');
    await n8n.start();
    await until(async () => (await fetch(webhookUrl(workflow), { method: 'POST' })).status === 401);
    await until(async () => (await read())?.status === 'delivered', { withinMs: RETRIED_WITHIN_MS });
    const next = await addLead();
    const executions = await editor.executed(workflow, 2);
    expect(executions.map(({ items }) => items[TRIGGER]?.[0]?.id)).to.deep.equal([missed.id, next.id]);
    expect((await subscriptions(workflow)).map(({ id }) => id)).to.deep.equal([before?.id]);
    await editor.unpublish(workflow);
    await subscribed(workflow, 0);
  });

  it('rejects a message that Sluice did not sign, and runs a repeated message once', async () => {
    const workflow = await addWorkflow(['lead.created'], credential, { simplify: false });
    await editor.publish(workflow);
    const [subscription] = await subscribed(workflow, 1);
    const forged = await fetch(webhookUrl(workflow), {
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
    const [execution] = await editor.executed(workflow, 1);
    const message = execution?.items[TRIGGER]?.[0] as { id: string };
    const path = `/webhooks/${subscription?.id}/deliveries`;
    const delivery = async () => (await sluice.call<{ data: Delivery[] }>(key, 'GET', path)).data[0];
    await until(async () => (await delivery())?.attempts.length === 1);
    expect((await delivery())?.id).to.equal(message.id);
    await sluice.call(key, 'POST', `${path}/${message.id}/redeliver`);
    await until(async () => (await delivery())?.attempts.length === 2);
    await addLead();
    expect(await editor.executed(workflow, 2)).to.have.length(2);
    await editor.unpublish(workflow);
    await subscribed(workflow, 0);
  });

  it('shows in Sluice that a key without its scope was rejected, and leaves nothing behind', async () => {
    const apiKey = await sluice.addKey(['read:leads']);
    const using = await editor.addCredential('sluiceApi', { baseUrl: sluice.apiUrl, apiKey });
    const workflow = await addWorkflow(['lead.created'], using);
    await editor.publish(workflow);
    const { refusedSubscriptions } = sluice.pipeline.store;
    await until(async () => (await refusedSubscriptions.listRefused(sluice.accountId)).length > 0);
    const [refused] = await refusedSubscriptions.listRefused(sluice.accountId);
    expect(refused).to.deep.include({ code: 'scope_missing' });
    await editor.unpublish(workflow);
    const own = await sluice.pipeline.store.subscriptions.listSubscriptions(sluice.accountId);
    expect(own.map(({ target_url }) => target_url)).not.to.include(webhookUrl(workflow));
  });

  it('offers the event kinds, sources and stages of the account in its menus', async () => {
    const options = async (methodName: string) =>
      n8n.rest<{ name: string; value: string }[]>('POST', '/dynamic-node-parameters/options', {
        nodeTypeAndVersion: { name: 'n8n-nodes-sluice.sluiceTrigger', version: 1 },
        path: 'parameters.events',
        methodName,
        currentNodeParameters: {},
        credentials: { sluiceApi: credential },
      });
    expect((await options('getEventKinds')).map(({ value }) => value)).to.include.members([
      '*',
      'lead.created',
      'event.cancelled',
    ]);
    expect(await options('getStages')).to.deep.include({ name: 'Contacted', value: 'stg_contacted' });
    expect((await options('getSources')).map(({ value }) => value)).to.include(sluice.source.sourceId);
  });
});
