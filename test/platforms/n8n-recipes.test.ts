import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { triggers } from './support/trigger.ts';
import { useN8n } from './support/use-n8n.ts';
import type { RecipeNode } from './support/workflows.ts';

const FOLDER = new URL('../../integrations/n8n-nodes-sluice/examples/', import.meta.url);
const STARTS = 'Lead was won';
const SENDS = 'Message to Slack';

/** docs/integrations.md says how a user imports them. */
describe('n8n: the recipes', function () {
  this.timeout(180_000);
  const at = useN8n();
  const { deliveries } = triggers(at);
  const subscriptions = async () =>
    (await at.account.call<{ data: { id: string }[] }>(at.key, 'GET', '/webhooks')).data;
  const move = (id: string, stage: string) =>
    at.account.call(at.key, 'POST', `/leads/${id}/stage`, { stage });

  it('tells Slack once of each lead that is won, also if Slack is busy, and of no other', async () => {
    const recipe = JSON.parse(readFileSync(new URL('stage-to-slack.json', FOLDER), 'utf8'));
    const told: string[] = [];
    const slack = await serve(async (request, response) => {
      told.push(JSON.parse(await text(request)).text);
      if (told.length === 1) response.writeHead(429, { 'Retry-After': '1' });
      response.end('ok');
    });
    const configured = (node: RecipeNode) => {
      if (node.name === STARTS) return { ...node, credentials: { sluiceApi: at.credential } };
      if (node.name === SENDS) return { ...node, parameters: { ...node.parameters, url: slack.url } };
      return node;
    };
    try {
      const workflow = await at.editor.addRecipe({ ...recipe, nodes: recipe.nodes.map(configured) });
      await at.editor.publish(workflow);
      await until(async () => (await subscriptions()).length === 1);
      const [subscription = { id: '' }] = await subscriptions();
      const add = (fields: object) =>
        at.account.call<{ id: string }>(at.key, 'POST', '/leads', { stage: 'stg_new', ...fields });
      const named = await add({ name: 'Ada & <Co>' });
      await move(named.id, 'stg_contacted');
      await move(named.id, 'stg_won');
      await at.editor.executed(workflow, 1);
      const unnamed = await add({ email: 'grace@example.com' });
      await move(unnamed.id, 'stg_won');
      const executions = await at.editor.executed(workflow, 2);
      expect(executions.map(({ status }) => status)).to.deep.equal(['success', 'success']);
      const first = 'Ada &amp; &lt;Co&gt; was won.';
      expect(told).to.deep.equal([first, first, 'grace@example.com was won.']);
      expect(await deliveries(subscription)).to.have.length(2);
      await at.editor.unpublish(workflow);
    } finally {
      await slack.close();
    }
  });
});
