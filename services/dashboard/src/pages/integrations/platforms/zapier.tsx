import { keyStep, leadStep, type Platform, Value } from '../step-parts.tsx';

export const zapier: Platform = {
  id: 'zapier',
  label: 'Zapier',
  about:
    'Sluice is a private app in your Zapier account. Its triggers are instant, and verify every message.',
  steps: (baseUrl) => [
    {
      title: 'Push the app',
      body: (
        <>
          <p>Run this in the folder integrations/zapier, with Zapier's command line signed in.</p>
          <Value label="Once" text="npm ci && npx zapier-platform register Sluice" />
          <Value label="Each version" text="npx zapier-platform push" />
        </>
      ),
    },
    keyStep('webhooks, read:leads and write:leads'),
    {
      title: 'Connect the account',
      body: (
        <>
          <p>
            In a new Zap choose Sluice and Lead created. Connect an account with the base URL and the key.
          </p>
          <Value label="Base URL" text={baseUrl} />
        </>
      ),
    },
    {
      title: 'Test the trigger, and publish',
      body: <p>The test shows your newest lead. Add a step, and publish the Zap.</p>,
    },
    leadStep('The Zap runs once.'),
  ],
};
