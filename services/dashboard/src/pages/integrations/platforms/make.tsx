import { Link } from 'react-router';
import { keyStep, leadStep, type Platform, Value } from '../step-parts.tsx';

const LEAD = '{"email":"ada@example.com","name":"Ada"}';

export const make: Platform = {
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
