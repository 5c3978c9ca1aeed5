import { keyStep, leadStep, type Platform, Value } from '../step-parts.tsx';

export const nodeRed: Platform = {
  id: 'node-red',
  label: 'Node-RED',
  about: 'The node subscribes when you deploy, verifies every message, and answers it.',
  steps: (baseUrl) => [
    {
      title: 'Install the nodes',
      body: (
        <>
          <p>In Node-RED open Manage palette &gt; Install, and search for the package.</p>
          <Value label="Package" text="node-red-sluice" />
        </>
      ),
    },
    keyStep('webhooks, read:leads and write:leads'),
    {
      title: 'Add the node sluice in',
      body: (
        <>
          <p>Add a server with the base URL and the key, and choose Lead created.</p>
          <Value label="Base URL" text={baseUrl} />
        </>
      ),
    },
    {
      title: 'Deploy',
      body: <p>Connect the node with a debug node, and deploy.</p>,
    },
    leadStep('The debug panel shows the lead.'),
  ],
};
