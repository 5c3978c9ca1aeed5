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
          <p>In n8n open Settings &gt; Community nodes, choose Install, and enter the name of the package.</p>
          <Value label="Package" text="n8n-nodes-sluice" />
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
