import type { WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { type Receiver, startReceiver } from '../../dispatcher/support/receiver.ts';
import { callAs } from './source.ts';
import type { Person, Stack } from './stack.ts';

interface Filled {
  readonly working: string;
  readonly failing: string;
  readonly receivers: readonly Receiver[];
}

/**
 * Adds a webhook subscription whose receiver accepts messages, one whose receiver fails, and a create that was rejected. The installation
 * needs a dispatcher that may send to private networks.
 */
export async function fillWebhooks(at: Stack, owner: Person, key: string): Promise<Filled> {
  const accepts = await startReceiver();
  const fails = await startReceiver((_received, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('The disk of the CRM is full.'),
  );
  const subscribe = async (name: string, { url: target_url }: Receiver) => {
    const body = { target_url, name, events: ['lead.created', 'lead.updated'] };
    return (await callAs<WebhookWithSecret>(at, owner, 'POST', '/webhooks', body)).webhook.id;
  };
  const working = await subscribe('Newsletter', accepts);
  const failing = await subscribe('CRM', fails);
  await fetch(`${at.url}/api/public/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'Zapier' },
    body: JSON.stringify({ target_url: 'ftp://hooks.example.com/1', events: ['lead.created'] }),
  });
  return { working, failing, receivers: [accepts, fails] };
}
