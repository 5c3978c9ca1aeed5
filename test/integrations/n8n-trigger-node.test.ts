import { expect } from 'chai';
import { n8nToolIsInstalled } from '../platforms/support/programs.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { until } from '../support/until.ts';
import {
  type Json,
  loadN8nNodes,
  type StubbedNode,
  stubbedHook,
  type stubbedWebhook,
} from './support/n8n-nodes.ts';
import { ACTOR, messageFor, newSecret, URL } from './support/trigger-message.ts';

if (process.env.SLUICE_REQUIRE_N8N_TOOL || n8nToolIsInstalled()) describeTrigger();
else reportNotRun('The requests of the n8n trigger', ["n8n's tool (npm run test:platforms installs it)"]);

function describeTrigger() {
  describe('integrations: the node Sluice Trigger for n8n', function () {
    this.timeout(600_000);
    let built: ReturnType<typeof loadN8nNodes>;
    before(() => {
      built = loadN8nNodes();
    });

    const receive = (node: StubbedNode) => new built.SluiceTrigger().webhook.call(node);
    const itemOf = ({ workflowData }: Json) => (workflowData as { json: Json }[][])[0]?.[0]?.json;

    it('starts the workflow with the record, and with who changed it', async () => {
      const node = messageFor('sub_right', {});
      expect(itemOf(await receive(node))).to.deep.include({
        id: 'lead_1',
        event: 'lead.updated',
        event_actor: ACTOR,
      });
    });

    it('verifies no message with a secret that is missing, and subscribes at no other service', async () => {
      for (const secret of ['', 'undefined', 'null', 'whsec_']) {
        const node = messageFor('sub_none', { secret, workflowId: `none ${secret}` });
        node.staticData = { subscriptions: { production: { id: 'sub_none', url: URL, secret } } };
        node.reply = () => ({ body: { data: [] } });
        await receive(node);
        expect((node as ReturnType<typeof stubbedWebhook>).answered[0]).to.include({ status: 401 });
      }
      const { create } = new built.SluiceTrigger().webhookMethods.default;
      for (const body of [{ id: 'sub_none' }, { secret: newSecret() }, '<html>', { id: 1, secret: null }]) {
        const hook = stubbedHook(URL);
        hook.reply = () => ({ statusCode: 200, body });
        const error = await create.call(hook).catch((reason: Error) => reason);
        expect((error as Error).message).to.include('No Sluice API server responds');
        expect(hook.staticData).to.deep.equal({});
      }
    });

    it('verifies a message that arrives before n8n has saved the secret, or before Sluice has returned it', async () => {
      const secret = newSecret();
      const unsaved = () => {
        const node = messageFor('sub_new', { secret });
        node.staticData.subscriptions = {};
        return node;
      };
      const hook = stubbedHook(URL);
      const { create, delete: remove } = new built.SluiceTrigger().webhookMethods.default;
      let respond: () => void = () => undefined;
      hook.reply = () =>
        new Promise((resolve) => {
          respond = () => resolve({ statusCode: 201, body: { id: 'sub_new', secret } });
        });
      const creating = create.call(hook);
      await until(() => hook.sent.length === 1);
      const early = unsaved();
      const receiving = receive(early);
      respond();
      expect(itemOf(await receiving)).to.include({ id: 'lead_1' });
      await creating;
      // n8n saves what the run has over the notes of the publication.
      expect(early.staticData.subscriptions).to.deep.equal({
        production: { id: 'sub_new', url: URL, secret },
      });
      expect(itemOf(await receive(unsaved()))).to.include({ id: 'lead_1' });
      // Another process of n8n has subscribed since.
      expect(itemOf(await receive(messageFor('sub_new', {})))).to.include({ id: 'lead_1' });
      hook.reply = () => ({ statusCode: 204 });
      await remove.call(hook);
      const late = unsaved();
      await receive(late);
      expect((late as ReturnType<typeof stubbedWebhook>).answered[0]).to.include({ status: 401 });
    });

    describe('with a secret that this process does not have', () => {
      let secret: string;
      beforeEach(() => {
        secret = newSecret();
      });
      const found = { id: 'sub_1', events: ['lead.updated'], filter: { stage: null }, ordered: true };
      /** A message that Sluice signed with its present secret. The notes have another one, or there are none. */
      const messageOf = (workflowId: string, { noted = true, reason = null as string | null } = {}) => {
        const node = messageFor('sub_1', { secret, workflowId });
        const notes = { id: 'sub_1', url: URL, secret: newSecret() };
        node.staticData = noted ? { subscriptions: { production: notes } } : {};
        node.reply = ({ method, path }) => {
          if (method === 'POST') return { body: { ...found, secret } };
          if (path === '/webhooks') return { body: { data: [{ id: 'sub_1' }] } };
          return { headers: { etag: '"1-0a0a0a0a"' }, body: { ...found, reason } };
        };
        return node;
      };

      it('asks Sluice, starts the workflow, and notes it', async () => {
        for (const noted of [true, false]) {
          const node = messageOf(`asks ${noted}`, { noted });
          expect(itemOf(await receive(node))).to.include({ id: 'lead_1' });
          const { id: _, ...fields } = found;
          expect(node.sent).to.deep.equal([
            { method: 'GET', path: '/webhooks', qs: { url: URL }, body: undefined },
            { method: 'GET', path: '/webhooks/sub_1', qs: {}, body: undefined },
            {
              ...{ method: 'POST', path: '/webhooks', qs: {}, ifMatch: '"1-0a0a0a0a"' },
              body: { target_url: URL, ...fields },
            },
          ]);
          expect(node.staticData.subscriptions).to.deep.equal({
            production: { id: 'sub_1', url: URL, secret },
          });
        }
      });

      it('asks once for messages that arrive at the same time', async () => {
        const both = [messageOf('at once'), messageOf('at once')] as const;
        const items = (await Promise.all(both.map(receive))).map(itemOf);
        expect(items.map((item) => item?.id)).to.deep.equal(['lead_1', 'lead_1']);
        expect(both.flatMap(({ sent }) => sent)).to.have.length(3);
      });

      it('asks again at once for the next secret, but not for a message that an answer has not verified', async () => {
        const first = messageOf('twice');
        expect(itemOf(await receive(first))).to.include({ id: 'lead_1' });
        secret = newSecret();
        const second = messageOf('twice');
        expect(itemOf(await receive(second))).to.include({ id: 'lead_1' });
        expect(second.sent).to.have.length(3);
        const forged = () => messageOf('twice');
        secret = newSecret();
        const [one, other] = [forged(), forged()];
        for (const node of [one, other]) node.reply = () => ({ body: { data: [] } });
        await receive(one);
        await receive(other);
        expect([one, other].map(({ sent }) => sent.length)).to.deep.equal([1, 0]);
      });

      it('does not lift the pause of a client', async () => {
        const node = messageOf('paused', { reason: 'by_client' });
        await receive(node);
        expect(node.sent[2]?.body).to.include({ active: false });
      });

      it('asks again if the workflow is published between its requests', async () => {
        for (const [index, changed] of ['/webhooks/sub_1 GET', '/webhooks POST'].entries()) {
          const node = messageOf(`published ${index}`);
          const { reply } = node;
          let rejected = 0;
          node.reply = (request) =>
            `${request.path} ${request.method}` === changed && ++rejected === 1
              ? { statusCode: request.method === 'POST' ? 412 : 404, body: { message: 'It was changed.' } }
              : reply(request);
          expect(itemOf(await receive(node))).to.include({ id: 'lead_1' });
          expect(rejected).to.equal(2);
        }
      });

      it('undoes no unpublication that happens between its requests', async () => {
        for (const [index, gone] of ['/webhooks/sub_1 GET', '/webhooks POST'].entries()) {
          const node = messageOf(`unpublished ${index}`);
          const { reply } = node;
          node.reply = (request) => {
            if (`${request.path} ${request.method}` !== gone) return reply(request);
            // Without If-Match the create would revive the subscription.
            if (request.method === 'POST' && request.ifMatch !== '"1-0a0a0a0a"') return reply(request);
            return { statusCode: request.method === 'POST' ? 412 : 404, body: { message: 'It is gone.' } };
          };
          const before = structuredClone(node.staticData);
          await receive(node);
          expect((node as ReturnType<typeof stubbedWebhook>).answered[0]).to.include({ status: 401 });
          expect(node.staticData).to.deep.equal(before);
        }
      });

      it('rejects a forged message, one without a subscription and one without an answer, and writes nothing', async () => {
        const outcomes = [
          { body: { data: [{ ...found }] }, secret: newSecret() },
          { body: { data: [] } },
          { statusCode: 401, body: { message: 'The key was revoked.' } },
        ];
        for (const [index, outcome] of outcomes.entries()) {
          const node = messageOf(`forged ${index}`, { noted: false });
          node.reply = ({ method, path }) =>
            method === 'GET' && path === '/webhooks' ? outcome : { body: { ...found, ...outcome } };
          await receive(node);
          expect((node as ReturnType<typeof stubbedWebhook>).answered[0]).to.include({ status: 401 });
          expect(node.staticData).to.deep.equal({});
        }
      });

      it('asks for nothing without the form of a message, and not in the editor', async () => {
        const old = messageFor('sub_1', { headers: { 'webhook-timestamp': '1' }, workflowId: 'old' });
        await receive(old);
        const edited = messageFor('sub_1', { mode: 'manual', workflowId: 'edited' });
        edited.staticData = {};
        await receive(edited);
        expect([...old.sent, ...edited.sent]).to.deep.equal([]);
      });

      it('forgets a secret once a message is signed with a newer one alone, which another process has noted', async () => {
        const leaked = secret;
        expect(itemOf(await receive(messageOf('leaked')))).to.include({ id: 'lead_1' });
        const unnoted = () => {
          const node = messageFor('sub_1', { secret: leaked, workflowId: 'leaked' });
          node.staticData = {};
          node.reply = () => ({ body: { data: [] } });
          return node;
        };
        expect(itemOf(await receive(unnoted()))).to.include({ id: 'lead_1' });
        await receive(messageFor('sub_1', { workflowId: 'leaked' }));
        const late = unnoted();
        late.staticData = { subscriptions: { production: { id: 'sub_1', url: URL, secret: newSecret() } } };
        await receive(late);
        expect((late as ReturnType<typeof stubbedWebhook>).answered[0]).to.include({ status: 401 });
      });
    });

    it('does not start a published workflow for a test with a made-up record, but the editor', async () => {
      const headers = { 'webhook-test': '1' };
      const published = await receive(messageFor('sub_tested', { headers }));
      expect(published)
        .to.have.nested.property('webhookResponse.message')
        .that.matches(/^The test arrived/);
      const edited = await receive(messageFor('sub_tested', { headers, mode: 'manual' }));
      expect(itemOf(edited)).to.include({ id: 'lead_1' });
    });
  });
}
