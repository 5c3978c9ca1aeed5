import { expect } from 'chai';
import { serve } from '../support/serve.ts';
import { runNodes } from './support/run-node.ts';
import { useN8n } from './support/use-n8n.ts';

const AGENT = 'AI Agent';

describe('n8n: the Sluice node as a tool', function () {
  this.timeout(180_000);
  const at = useN8n();

  for (const [typeVersion, leads] of [
    // Its calls of equal fields are one, so that a retry of n8n writes once.
    [2.2, ['one', 'two']],
    [3, ['one', 'two', 'two']],
  ] as const)
    it(`creates the leads that the model of an AI agent ${typeVersion} asks for one after the other`, async () => {
      const domain = `agent-${typeVersion * 10}.example.com`;
      const model = await startModel(['one', 'two', 'two'].map((name) => ({ email: `${name}@${domain}` })));
      try {
        const openAiApi = await at.editor.addCredential('openAiApi', { apiKey: 'none', url: model.url });
        const email = "={{ $fromAI('email', 'The email of the lead', 'string') }}";
        const { error } = await runNodes(at, [
          {
            name: AGENT,
            type: '@n8n/n8n-nodes-langchain.agent',
            typeVersion,
            parameters: { promptType: 'define', text: 'Create a lead' },
          },
          {
            name: 'Model',
            type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
            typeVersion: 1.2,
            parameters: { model: { __rl: true, mode: 'id', value: 'any' } },
            credentials: { openAiApi },
            partOf: { node: AGENT, as: 'ai_languageModel' },
          },
          {
            name: 'Create a lead',
            type: 'n8n-nodes-sluice.sluiceTool',
            typeVersion: 1,
            parameters: { resource: 'lead', operation: 'create', fields: { email } },
            credentials: { sluiceApi: at.credential },
            partOf: { node: AGENT, as: 'ai_tool' },
          },
        ]);
        expect(error?.message).to.equal(undefined);
        expect(model.offered()).to.deep.equal(['Create_a_lead']);
        const { data } = await at.account.call<{ data: { email: string }[] }>(at.key, 'GET', '/leads');
        const made = data.map(({ email }) => email).filter((email) => email.endsWith(domain));
        expect(made.sort()).to.deep.equal(leads.map((name) => `${name}@${domain}`));
      } finally {
        await model.stop();
      }
    });
});

/** The HTTP API of a language model, which calls the first tool with each of these arguments and then ends. */
async function startModel(calls: readonly object[]) {
  let offered: string[] = [];
  const server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages = [], tools = [] } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Asked;
    offered = tools.map((tool) => tool.function.name);
    const called = messages.filter(({ role }) => role === 'tool').length;
    const hasEnded = called >= calls.length;
    const call = { name: offered[0], arguments: JSON.stringify(calls[called]) };
    const message = hasEnded
      ? { role: 'assistant', content: 'Done' }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `call_${called}`, type: 'function', function: call }],
        };
    const choice = { index: 0, message, finish_reason: hasEnded ? 'stop' : 'tool_calls' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const body = {
      id: 'chat_1',
      object: 'chat.completion',
      created: 1,
      model: 'any',
      choices: [choice],
      usage,
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  return {
    url: `${server.url}/v1`,
    /** The names of the tools that the agent offered. */
    offered: () => offered,
    stop: server.close,
  };
}

interface Asked {
  readonly messages?: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}
