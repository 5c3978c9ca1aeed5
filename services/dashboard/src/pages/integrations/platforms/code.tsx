import { node } from '../../../samples/verify/node.ts';
import { WEBHOOK_SECRET_VARIABLE } from '../../../samples/verify/verify-sample.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { keyStep, type Platform } from '../step-parts.tsx';

const auth = '-H "Authorization: Bearer $SLUICE_API_KEY" -H \'content-type: application/json\'';

export const code: Platform = {
  id: 'code',
  label: 'Code',
  about: 'Any program that serves HTTPS can receive messages. They follow Standard Webhooks.',
  steps: (baseUrl) => [
    keyStep('webhooks, read:leads and write:leads'),
    {
      title: 'Set two variables',
      body: (
        <CodeBlock
          title="a shell"
          what="variables"
          code={`export SLUICE_URL=${baseUrl}\nread -rs SLUICE_API_KEY && export SLUICE_API_KEY\n`}
        />
      ),
    },
    {
      title: 'Subscribe your URL',
      body: (
        <>
          <p>The response has the secret, once. Export it as {WEBHOOK_SECRET_VARIABLE}.</p>
          <CodeBlock
            title="a shell"
            what="subscribe command"
            code={`curl -X POST "$SLUICE_URL/api/public/webhooks" ${auth} \\\n  -d '{"target_url":"https://example.com/hook","events":["lead.created"]}'\n`}
          />
        </>
      ),
    },
    {
      title: 'Run a receiver',
      body: <CodeBlock title={`${node.file} · run with: ${node.run}`} what="receiver" code={node.code} />,
    },
    {
      title: 'Create a lead',
      body: (
        <CodeBlock
          title="a shell"
          what="lead command"
          code={`curl -X POST "$SLUICE_URL/api/public/leads" ${auth} \\\n  -d '{"email":"ada@example.com"}'\n`}
        />
      ),
    },
  ],
};
