import { keyStep, leadStep, type Platform, Value } from '../step-parts.tsx';

export const zapier: Platform = {
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
