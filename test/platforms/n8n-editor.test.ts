import { expect } from 'chai';
import { until } from '../support/until.ts';
import { TRIGGER, triggers } from './support/trigger.ts';
import { useN8n } from './support/use-n8n.ts';
import type { Workflow } from './support/workflows.ts';

describe('n8n: a test of the Sluice Trigger in the editor', function () {
  this.timeout(180_000);
  const at = useN8n();
  const { addLead, addWorkflow, subscribed, subscriptions, url } = triggers(at);
  /** Until then n8n fails to listen again: its cache copies what it is removing. */
  const forgotten = (workflow: Workflow) =>
    until(async () => (await fetch(url(workflow, 'webhook-test'), { method: 'POST' })).status === 404);
  const ended = async (workflow: Workflow) => {
    await subscribed(url(workflow, 'webhook-test'), 0);
    await forgotten(workflow);
  };

  it('runs on the next event beside the published workflow, and leaves nothing behind', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.publish(workflow);
    await subscribed(url(workflow), 1);
    await at.editor.listen(workflow, TRIGGER);
    const [test] = await subscribed(url(workflow, 'webhook-test'), 1);
    expect(test).to.include({ ephemeral: true });
    const { id } = await addLead();
    const executions = await at.editor.executed(workflow, 2);
    expect(executions.map(({ mode }) => mode).sort()).to.deep.equal(['manual', 'webhook']);
    for (const { items } of executions) expect(items[TRIGGER]?.[0]).to.include({ id });
    await ended(workflow);
    expect(await subscriptions(url(workflow))).to.have.length(1);
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
  });

  it('runs on a test message of Sluice', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.listen(workflow, TRIGGER);
    const [test] = await subscribed(url(workflow, 'webhook-test'), 1);
    await at.account.call(at.key, 'POST', `/webhooks/${test?.id}/test`, {});
    const [execution] = await at.editor.executed(workflow, 1);
    expect(execution?.items[TRIGGER]?.[0]).to.include({ event: 'webhook.test' });
    await ended(workflow);
  });

  it('leaves nothing behind when the user stops listening', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.listen(workflow, TRIGGER);
    await subscribed(url(workflow, 'webhook-test'), 1);
    await at.editor.stopListening(workflow);
    await ended(workflow);
  });

  it('leaves nothing behind when n8n is killed meanwhile', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.listen(workflow, TRIGGER);
    await subscribed(url(workflow, 'webhook-test'), 1);
    await at.n8n.stop('SIGKILL');
    await at.n8n.start();
    await forgotten(workflow);
    await addLead();
    await ended(workflow);
  });
});
