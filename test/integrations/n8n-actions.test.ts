import { expect } from 'chai';
import { n8nToolIsInstalled } from '../platforms/support/programs.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { type Json, loadN8nNodes, type StubbedNode, stubbedExecution } from './support/n8n-nodes.ts';

// Its install has 500 MB, so only a build that requires it installs it.
if (process.env.SLUICE_REQUIRE_N8N_TOOL || n8nToolIsInstalled()) describeActions();
else reportNotRun('The actions of the n8n nodes', ["n8n's tool (npm run test:platforms installs it)"]);

function describeActions() {
  describe('integrations: the actions of the node Sluice for n8n', function () {
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
      expect(
        (await bodyOf({ ...event, location: 7, externalId: 4711, eventFields: { price: 5 } }))?.event,
      ).to.include({
        external_id: '4711',
        ...{ title: '2027', location: '7', price: '5' },
      });
      const reply = { resource: 'conversation', operation: 'reply', conversationId: 'conv_1' };
      expect(await bodyOf({ ...reply, text: 42, authorName: 7 })).to.deep.equal({
        ...{ text: '42', author_name: '7' },
      });
    });

    it('cancels and deletes an event by its external ID alone', async () => {
      for (const operation of ['cancel', 'delete']) {
        const node = stubbedExecution([{ resource: 'event', operation, externalId: 'b-1' }]);
        await execute(node);
        expect(node.sent[0]?.body).to.deep.equal({ action: operation, event: { external_id: 'b-1' } });
      }
    });

    it('shows what a user of n8n can do where Sluice names what a program can do', async () => {
      const node = stubbedExecution([{ resource: 'lead', operation: 'move', leadId: 'l', toStage: 'x' }]);
      const detail = 'The account has no such stage. GET /api/public/pipeline-stages lists the stages.';
      const errors = [{ field: 'stage', detail }];
      node.reply = () => ({ statusCode: 400, body: { message: detail, errors } });
      const error = await execute(node).catch((reason) => reason);
      const sentence = 'The account has no such stage. Choose one from the list of stages in the node.';
      expect(error).to.include({ message: sentence, description: `stage: ${sentence}` });
    });

    it('reads events by their ID and by filters, with times in UTC', async () => {
      const filters = { source: 'src_1', starts_from: '2030-05-01T00:00:00', status: '' };
      const node = stubbedExecution([
        { resource: 'storedEvent', operation: 'get', eventId: ' evt_1 ' },
        { resource: 'storedEvent', operation: 'getAll', filters, limit: 5 },
      ]);
      node.reply = ({ path }) => ({
        body: path === '/events' ? { data: [{ id: 'evt_2' }] } : { id: 'evt_1' },
      });
      const items = (await execute(node))[0] ?? [];
      expect(items.map(({ json }) => json.id)).to.deep.equal(['evt_1', 'evt_2']);
      expect(node.sent.map(({ path }) => path)).to.deep.equal(['/events/evt_1', '/events']);
      const query = { source: 'src_1', starts_from: '2030-05-01T00:00:00.000Z', limit: 5 };
      expect(node.sent[1]?.qs).to.deep.equal(query);
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
