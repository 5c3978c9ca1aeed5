import { expect } from 'chai';
import { until } from '../support/until.ts';
import { TRIGGER, triggers } from './support/trigger.ts';
import { useN8n } from './support/use-n8n.ts';

describe('n8n: the Sluice Trigger node', function () {
  this.timeout(180_000);
  const at = useN8n();
  const { addLead, addWorkflow, deliveries, subscribed, url } = triggers(at);

  it('runs a workflow once for a lead, and leaves no subscription behind', async () => {
    const workflow = await addWorkflow(['lead.created'], { name: 'Leads to Slack' });
    await at.editor.publish(workflow);
    const [subscription] = await subscribed(url(workflow), 1);
    expect(subscription).to.deep.include({ events: ['lead.created'] });
    expect(subscription?.client).to.include({ platform: 'n8n', workflow_name: 'Leads to Slack' });
    const { id, email } = await addLead();
    const [execution] = await at.editor.executed(workflow, 1);
    expect(execution?.status).to.equal('success');
    expect(execution?.items[TRIGGER]).to.have.length(1);
    expect(execution?.items[TRIGGER]?.[0]).to.include({ id, email, event: 'lead.created' });
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
    expect(await at.editor.executions(workflow)).to.have.length(1);
  });

  it('runs a message once that is delivered twice', async () => {
    const workflow = await addWorkflow(['lead.created'], { parameters: { simplify: false } });
    await at.editor.publish(workflow);
    const [subscription = { id: '' }] = await subscribed(url(workflow), 1);
    await addLead();
    const [execution] = await at.editor.executed(workflow, 1);
    const message = execution?.items[TRIGGER]?.[0] as { id: string };
    const attempted = (count: number) =>
      until(async () => (await deliveries(subscription))[0]?.attempts.length === count);
    await attempted(1);
    expect((await deliveries(subscription))[0]?.id).to.equal(message.id);
    await at.account.call(at.key, 'POST', `/webhooks/${subscription.id}/deliveries/${message.id}/redeliver`);
    await attempted(2);
    expect((await deliveries(subscription))[0]?.attempts.map(({ status }) => status)).to.deep.equal([
      200, 200,
    ]);
    const next = await addLead();
    const executions = await at.editor.executed(workflow, 2);
    expect(executions).to.have.length(2);
    expect(executions[1]?.items[TRIGGER]?.[0]?.data).to.include({ id: next.id });
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
  });

  it('offers the event kinds, sources and stages of the account in its menus', async () => {
    const options = async (methodName: string) =>
      at.n8n.rest<{ name: string; value: string }[]>('POST', '/dynamic-node-parameters/options', {
        nodeTypeAndVersion: { name: 'n8n-nodes-sluice.sluiceTrigger', version: 1 },
        path: 'parameters.events',
        methodName,
        currentNodeParameters: {},
        credentials: { sluiceApi: at.credential },
      });
    expect((await options('getEventKinds')).map(({ value }) => value)).to.include.members([
      '*',
      'lead.created',
      'event.cancelled',
    ]);
    expect(await options('getStages')).to.deep.include({ name: 'Contacted', value: 'stg_contacted' });
    expect((await options('getSources')).map(({ value }) => value)).to.include(at.account.source.sourceId);
  });
});
