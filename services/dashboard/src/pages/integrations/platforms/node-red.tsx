import { keyStep, leadStep, type Platform, Value } from '../step-parts.tsx';

export const nodeRed: Platform = {
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
          <Value label="Install" text="npm install --prefix ~/.node-red ./node-red-sluice-0.1.0.tgz" />
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
