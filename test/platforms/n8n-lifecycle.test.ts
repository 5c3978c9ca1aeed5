import type { WebhookList } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { TRIGGER, triggers } from './support/trigger.ts';
import { useN8n } from './support/use-n8n.ts';
import type { Workflow } from './support/workflows.ts';

/** After failures of this many different records, Sluice tries one message at a time until one succeeds. */
const FAILURES_BEFORE_A_PROBE = 5;

describe('n8n: a published workflow', function () {
  this.timeout(240_000);
  const at = useN8n();
  const { addLead, addWorkflow, deliveries, subscribed, subscriptions, url } = triggers(at);
  const addLeads = async (count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await addLead()).id);
    return ids;
  };
  /** The leads that a workflow ran for, sorted. */
  const ranFor = async (workflow: Workflow, count: number) =>
    (await at.editor.executed(workflow, count)).map(({ items }) => items[TRIGGER]?.[0]?.id as string).sort();

  it('runs once for each lead that it missed while n8n was killed, and leaves nothing behind', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.publish(workflow);
    const [subscription = { id: '' }] = await subscribed(url(workflow), 1);
    await at.n8n.stop('SIGKILL');
    const missed = await addLeads(FAILURES_BEFORE_A_PROBE);
    // A connection that was kept is reset, others are refused.
    const failed = async () => (await deliveries(subscription)).filter(({ attempts }) => attempts.length > 0);
    await until(async () => (await failed()).length === missed.length);
    await at.n8n.start();
    await until(async () => (await fetch(url(workflow), { method: 'POST' })).status === 401);
    await at.account.call(at.key, 'POST', `/webhooks/${subscription.id}/test`, {});
    expect(await ranFor(workflow, missed.length)).to.deep.equal([...missed].sort());
    const next = await addLead();
    expect(await ranFor(workflow, missed.length + 1)).to.include(next.id);
    expect((await subscriptions(url(workflow))).map(({ id }) => id)).to.deep.equal([subscription.id]);
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
  });

  it('shows in n8n and in Sluice why it cannot subscribe, and leaves nothing behind', async () => {
    const apiKey = await at.account.addKey(['read:leads']);
    const using = await at.editor.addCredential('sluiceApi', { baseUrl: at.sluice.apiUrl, apiKey });
    const workflow = await addWorkflow(['lead.created'], { using });
    await at.editor.publish(workflow);
    const refused = async () => (await at.account.asOwner<WebhookList>('GET', '/webhooks')).refused;
    await until(async () => (await refused()).length > 0);
    expect((await refused())[0]).to.deep.include({ code: 'scope_missing' });
    const status = () => at.editor.publicationStatus(workflow);
    await until(async () => (await status()).status === 'failed');
    expect((await status()).triggers[0]?.errorMessage).to.match(/scope/);
    await at.editor.unpublish(workflow);
    const { items } = await at.account.asOwner<WebhookList>('GET', '/webhooks');
    expect(items.map(({ target_url }) => target_url)).not.to.include(url(workflow));
  });

  it('gets nothing after its subscription was deleted in Sluice, until it is unpublished and published', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.publish(workflow);
    const [deleted] = await subscribed(url(workflow), 1);
    await at.account.asOwner('DELETE', `/webhooks/${deleted?.id}`);
    await addLead();
    expect((await at.editor.publicationStatus(workflow)).status).to.equal('published');
    await at.editor.unpublish(workflow);
    await at.editor.publish(workflow);
    await subscribed(url(workflow), 1);
    const { id } = await addLead();
    expect(await ranFor(workflow, 1)).to.deep.equal([id]);
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
  });

  it('is paused when its key is revoked, and goes on with another key', async () => {
    const addKey = () =>
      at.account.asOwner<{ key: string; item: { key_id: string } }>('POST', '/keys', {
        name: 'n8n',
        scopes: ['webhooks'],
      });
    const { key, item } = await addKey();
    const using = await at.editor.addCredential('sluiceApi', { baseUrl: at.sluice.apiUrl, apiKey: key });
    let workflow = await addWorkflow(['lead.created'], { using });
    await at.editor.publish(workflow);
    const shown = async () => {
      const { items } = await at.account.asOwner<WebhookList>('GET', '/webhooks');
      return items.find(({ target_url }) => target_url === url(workflow));
    };
    await until(async () => (await shown()) !== undefined);
    const { id } = (await shown()) ?? {};
    await at.account.asOwner('POST', `/keys/${item.key_id}/revoke`);
    expect(await shown()).to.include({ id, status: 'paused', reason: 'key_revoked' });
    const next = await addKey();
    await at.n8n.rest('PATCH', `/credentials/${using.id}`, {
      ...{ name: 'Sluice API', type: 'sluiceApi' },
      data: { baseUrl: at.sluice.apiUrl, apiKey: next.key },
    });
    workflow = await at.editor.edit(workflow, { notes: 'Another key' });
    await at.editor.publish(workflow);
    await until(async () => (await shown())?.status === 'active');
    expect(await shown()).to.include({ id });
    const lead = await addLead();
    expect(await ranFor(workflow, 1)).to.deep.equal([lead.id]);
    await at.editor.unpublish(workflow);
    await until(async () => (await shown()) === undefined);
  });
});
