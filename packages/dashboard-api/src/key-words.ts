import type { Scope } from '@sluice/contract/account/scopes';

/** The minimum scopes by integration type. The preset cards fill them in. */
export const KEY_PRESETS = [
  { id: 'automation_trigger', name: 'Automation platform, trigger only', scopes: ['webhooks'] },
  {
    id: 'automation_actions',
    name: 'Automation platform, trigger plus lead actions',
    scopes: ['webhooks', 'read:leads', 'write:leads'],
  },
  { id: 'workflow_events', name: 'Workflow tool, receive events', scopes: ['webhooks'] },
  {
    id: 'workflow_leads',
    name: 'Workflow tool, receive events plus write leads',
    scopes: ['webhooks', 'write:leads'],
  },
  { id: 'custom_read', name: 'Custom backend, read only', scopes: ['read:leads', 'read:conversations'] },
] as const satisfies readonly { id: string; name: string; scopes: readonly Scope[] }[];

/** User-Agents whose first word does not name the product. */
const KNOWN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/n8n/i, 'n8n'],
  [/zapier/i, 'Zapier'],
  [/make\/|integromat/i, 'Make'],
  [/activepieces/i, 'Activepieces'],
  [/pipedream/i, 'Pipedream'],
  [/postman/i, 'Postman'],
];

/** The client that a User-Agent names, for people: `Zapier`, or the first product with its version, such as `curl 8.5.0`. */
export function clientName(userAgent: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(userAgent));
  if (known !== undefined) return known[1];
  const [product = userAgent] = userAgent.split(' ', 1);
  return product.replace('/', ' ');
}
