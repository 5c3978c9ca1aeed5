import { createHmac, randomBytes } from 'node:crypto';
import { type Json, stubbedWebhook } from './n8n-nodes.ts';

/** The URL of the trigger. */
export const URL = 'https://n8n.example.com/webhook/1';
export const ACTOR = { type: 'api_key', id: 'key_1' };

interface MessageOptions {
  readonly headers?: Json;
  readonly mode?: string;
  readonly secret?: string;
  readonly workflowId?: string;
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

let last = 0;

/** A message for a subscription, signed with a secret. */
export function messageFor(id: string, options: MessageOptions) {
  const { headers = {}, mode = 'webhook', secret = newSecret(), workflowId = 'workflow' } = options;
  const content = JSON.stringify({
    ...{ id: `msg_${++last}`, type: 'lead.updated', timestamp: '2027-05-01T10:00:00Z', sequence: 7 },
    ...{ actor: ACTOR, data: { id: 'lead_1', name: 'Ada' } },
  });
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_${last}.${timestamp}.${content}`)
    .digest('base64');
  const signed = {
    'webhook-id': `msg_${last}`,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
  const node = stubbedWebhook({ headers: { ...signed, ...headers }, content }, { mode, workflowId });
  const notes = { id, url: URL, secret };
  node.staticData.subscriptions = { production: notes, test: notes };
  return node;
}
