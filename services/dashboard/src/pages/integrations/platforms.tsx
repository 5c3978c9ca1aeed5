import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { node, WEBHOOK_SECRET_VARIABLE } from '../../samples/verify.ts';
import { CodeBlock, CopyButton } from '../../ui/copy.tsx';
import layout from '../source/set-up.module.css';

const n8n: Platform = {
  id: 'n8n',
  label: 'n8n',
  about: 'The nodes verify every message, drop repeated ones, and leave no subscription behind.',
  steps: (baseUrl) => [
    {
      title: 'Install the nodes',
      body: (
        <>
          <p>
            The nodes are not on the npm registry yet. Run these commands with Node 24 in the folder
            integrations/n8n-nodes-sluice of the Sluice repository, and restart n8n.
          </p>
          <Value label="Build" text="npm ci --ignore-scripts && npm run build && npm pack" />
          <Value
            label="Install"
            text="npm install --prefix ~/.n8n/nodes --omit=peer --ignore-scripts ./n8n-nodes-sluice-0.2.0.tgz"
          />
        </>
      ),
    },
    keyStep('webhooks, read:leads and write:leads'),
    {
      title: 'Create the credential',
      body: (
        <>
          <p>In n8n create a credential of the type Sluice API. Its test shows your account and key.</p>
          <Value label="Base URL" text={baseUrl} />
        </>
      ),
    },
    {
      title: 'Add the trigger',
      body: <p>Add Sluice Trigger to a workflow, choose Lead created, and publish the workflow.</p>,
    },
    leadStep('n8n runs the workflow once.'),
  ],
};

const zapier: Platform = {
  id: 'zapier',
  label: 'Zapier',
  about:
    'Sluice is a private app in your Zapier account. Its triggers are instant, and verify every message.',
  steps: (baseUrl) => [
    {
      title: "Install Zapier's tool, and sign in",
      body: (
        <>
          <Value label="Install" text="npm install --global zapier-platform-cli@19.1.0" />
          <Value label="Sign in" text="zapier-platform login" />
        </>
      ),
    },
    {
      title: 'Upload the app',
      body: (
        <>
          <p>Run these commands in the folder integrations/zapier of the Sluice repository.</p>
          <Value label="Build" text="npm ci && npm run build" />
          <Value label="Upload" text={'zapier-platform register "Sluice" && zapier-platform push'} />
        </>
      ),
    },
    keyStep('webhooks, read:leads and write:leads'),
    {
      title: 'Create a Zap',
      body: (
        <>
          <p>Choose the trigger Lead created of your app, and connect it with the address and the key.</p>
          <Value label="Base URL" text={baseUrl} />
          <p>The test shows your newest lead. Add a step, and publish the Zap.</p>
        </>
      ),
    },
    leadStep('The Zap runs once.'),
  ],
};

const LEAD = '{"email":"ada@example.com","name":"Ada"}';

const make: Platform = {
  id: 'make',
  label: 'Make',
  about: 'Make has no access to the raw body, so a scenario cannot verify messages. Keep the URL secret.',
  steps: (baseUrl) => [
    {
      title: 'Create a webhook in Make',
      body: (
        <p>
          Add the module Webhooks &gt; Custom webhook to a scenario, create a webhook, and copy its address.
        </p>
      ),
    },
    {
      title: 'Subscribe the address',
      body: (
        <p>
          Under <Link to="/settings/webhooks">Webhook subscriptions</Link> add a subscription with this URL,
          choose Lead created, and save. Make learns the fields from Send test.
        </p>
      ),
    },
    keyStep('write:leads'),
    {
      title: 'Write leads with the HTTP module',
      body: (
        <>
          <p>
            Add the module HTTP &gt; Make a request with these fields. It creates a lead or changes the one
            with the email.
          </p>
          <Value label="URL" text={`${baseUrl}/api/public/leads?match_on=email`} />
          <Value label="Method" text="POST" />
          <Value label="Header" text="Authorization: Bearer YOUR_KEY" />
          <Value label="Body type" text="Raw" />
          <Value label="Content type" text="JSON (application/json)" />
          <Value label="Request content" text={LEAD} />
          <Value label="Parse response" text="Yes" />
        </>
      ),
    },
    leadStep('The scenario runs once.'),
  ],
};

const nodeRed: Platform = {
  id: 'node-red',
  label: 'Node-RED',
  about: 'The node subscribes when you deploy, verifies every message, and responds to it.',
  steps: (baseUrl) => [
    {
      title: 'Install the nodes',
      body: (
        <>
          <p>
            The nodes are not on the npm registry yet. Run these commands in the folder
            integrations/node-red-sluice of the Sluice repository, and restart Node-RED.
          </p>
          <Value label="Pack" text="npm pack" />
          <Value label="Install" text="npm install --prefix ~/.node-red ./node-red-sluice-0.2.0.tgz" />
        </>
      ),
    },
    keyStep('webhooks, read:leads and write:leads'),
    {
      title: 'Import the example',
      body: <p>Open Import &gt; Examples &gt; node-red-sluice, and choose leads-to-debug.</p>,
    },
    {
      title: 'Enter the server, and deploy',
      body: (
        <>
          <p>Open the node Lead created. Its server needs this address, the key, and the URL of Node-RED.</p>
          <Value label="Base URL" text={baseUrl} />
        </>
      ),
    },
    leadStep('The debug sidebar shows the lead.'),
  ],
};

const auth = '-H "Authorization: Bearer $SLUICE_API_KEY" -H \'content-type: application/json\'';

const code: Platform = {
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

/** The platforms that the page explains. */
export const PLATFORMS: readonly [Platform, ...Platform[]] = [n8n, zapier, make, nodeRed, code];

/** One of the five steps that connect a platform. */
interface Step {
  readonly title: string;
  readonly body: ReactNode;
}

interface Platform {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  /** `baseUrl` is the address of this installation, without a slash at its end. */
  readonly steps: (baseUrl: string) => readonly Step[];
}

/** A field of a platform's form, and what goes into it. */
function Value({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="row">
      <span>{label}</span>
      <span className="line">
        <code className={layout.box}>{text}</code>
        <CopyButton text={text} what={label} />
      </span>
    </div>
  );
}

/** The step that every platform has: a key with the scopes that its steps need. */
function keyStep(scopes: string): Step {
  return {
    title: 'Create an API key',
    body: (
      <p>
        Open <Link to="/settings/api-keys">API Keys</Link>, create a key with the scopes {scopes}, and copy
        it. It is shown once.
      </p>
    ),
  };
}

/** The step that shows that it works. */
function leadStep(then: string): Step {
  return {
    title: 'Create a lead',
    body: (
      <p>
        <Link to="/leads?new=lead">Create a lead</Link>. {then} The workflow appears under Connected.
      </p>
    ),
  };
}
