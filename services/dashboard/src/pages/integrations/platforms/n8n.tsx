import { keyStep, leadStep, type Platform, Value } from '../step-parts.tsx';

export const n8n: Platform = {
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
            text="npm install --prefix ~/.n8n/nodes --omit=peer --ignore-scripts ./n8n-nodes-sluice-0.1.0.tgz"
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
