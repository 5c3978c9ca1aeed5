import { expect } from 'chai';
import { n8nToolIsInstalled } from '../platforms/support/programs.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { type Json, loadN8nNodes, type StubbedNode, stubbedExecution } from './support/n8n-nodes.ts';

// Its install has 500 MB, so only a build that requires it installs it.
if (process.env.SLUICE_REQUIRE_N8N_TOOL || n8nToolIsInstalled()) describeWrites();
else reportNotRun('The writes of the n8n nodes', ["n8n's tool (npm run test:platforms installs it)"]);

function describeWrites() {
  describe('integrations: the writes of the node Sluice for n8n', function () {
    this.timeout(600_000);
    let built: ReturnType<typeof loadN8nNodes>;
    before(() => {
      built = loadN8nNodes();
    });

    const execute = (node: StubbedNode) => new built.Sluice().execute.call(node);

    it('makes a text of a number for a field of text, such as a phone number of a sheet', async () => {
      const bodyOf = async (parameters: Json) => {
        const node = stubbedExecution([parameters]);
        await execute(node);
        return node.sent[0]?.body;
      };
      const fields = { phone: 493012345, external_id: 4711, note: 0 };
      expect(await bodyOf({ resource: 'lead', operation: 'create', fields })).to.deep.equal({
        ...{ phone: '493012345', external_id: '4711', note: '0' },
      });
      const event = { resource: 'event', operation: 'upsert', title: 2027, startsAt: '2027-01-01T00:00:00Z' };
      expect((await bodyOf({ ...event, location: 7, eventFields: { price: 5 } }))?.event).to.include({
        ...{ title: '2027', location: '7', price: '5' },
      });
      const reply = { resource: 'conversation', operation: 'reply', conversationId: 'conv_1' };
      expect(await bodyOf({ ...reply, text: 42, authorName: 7 })).to.deep.equal({
        ...{ text: '42', author_name: '7' },
      });
    });

    it('accepts and ends a handoff', async () => {
      const conversation = { resource: 'conversation', conversationId: 'conv_1' };
      const node = stubbedExecution([
        { ...conversation, operation: 'acceptHandoff', agentName: 'Grace' },
        { ...conversation, operation: 'acceptHandoff', agentName: '' },
        { ...conversation, operation: 'endHandoff' },
      ]);
      await execute(node);
      expect(node.sent.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(
        [1, 2, 3].map(() => 'POST /conversations/conv_1/handoff'),
      );
      expect(node.sent.map(({ body }) => body)).to.deep.equal([
        ...[{ action: 'accept', agent_name: 'Grace' }, { action: 'accept' }, { action: 'end' }],
      ]);
    });
  });
}
