import type { Scope } from '@sluice/contract/scopes';

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
