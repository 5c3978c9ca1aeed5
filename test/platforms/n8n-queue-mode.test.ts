import { expect } from 'chai';
import { until } from '../support/until.ts';
import { TRIGGER, triggers } from './support/trigger.ts';
import { useN8n } from './support/use-n8n.ts';
import type { Workflow } from './support/workflows.ts';

/** Sluice sends a message that n8n rejected again after 5 seconds, and after a minute. */
const RETRIED_WITHIN_MS = 150_000;
const PUBLICATIONS = 4;

describe('n8n: a published workflow in queue mode', function () {
  this.timeout(400_000);
  const at = useN8n({ inQueueMode: true });
  const { addLead, addWorkflow, deliveries, subscribed, url } = triggers(at);
  /** The leads that a workflow ran for, sorted. */
  const ranFor = async (workflow: Workflow, count: number) =>
    (await at.editor.executed(workflow, count)).map(({ items }) => items[TRIGGER]?.[0]?.id as string).sort();

  it('loses no lead and runs none twice while the main process publishes again and again', async () => {
    let workflow = await addWorkflow(['lead.created']);
    await at.editor.publish(workflow);
    const [first = { id: '' }] = await subscribed(url(workflow), 1);
    const written: string[] = [];
    let publications = 1;
    const publishing = async () => {
      for (; publications < PUBLICATIONS; publications++) {
        const events = publications % 2 === 0 ? ['lead.created'] : ['lead.created', 'lead.updated'];
        workflow = await at.editor.edit(workflow, { parameters: { events } });
        const before = written.length;
        await at.editor.publish(workflow);
        await until(() => written.length > before + 2);
      }
    };
    const writing = async () => {
      while (publications < PUBLICATIONS) {
        written.push((await addLead()).id);
        // Slower where n8n is slower: it takes as long to run a lead as to answer.
        await at.editor.publicationStatus(workflow);
      }
    };
    await Promise.all([publishing(), writing()]);
    const delivered = async () =>
      (await deliveries(first)).filter(({ status }) => status === 'delivered').length;
    const all = async () => (await delivered()) === written.length;
    await until(all, { what: 'every lead is delivered', withinMs: RETRIED_WITHIN_MS });
    expect(await ranFor(workflow, written.length)).to.deep.equal([...written].sort());
    const codes = (await deliveries(first)).flatMap(({ attempts }) => attempts.map(({ code }) => code));
    expect(codes).not.to.include('signature_rejected');
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
  });

  it('runs at the first message after a rotation of the secret, without a publication', async () => {
    const workflow = await addWorkflow(['lead.created']);
    await at.editor.publish(workflow);
    const [subscription = { id: '' }] = await subscribed(url(workflow), 1);
    const ids = [(await addLead()).id];
    await ranFor(workflow, 1);
    await at.account.call(at.key, 'POST', `/webhooks/${subscription.id}/rotate-secret`, { overlap: 'none' });
    ids.push((await addLead()).id);
    expect(await ranFor(workflow, 2)).to.deep.equal([...ids].sort());
    const [newest] = await deliveries(subscription);
    expect(newest?.attempts.map(({ code }) => code)).to.deep.equal(['delivered']);
    await at.editor.unpublish(workflow);
    await subscribed(url(workflow), 0);
  });
});
