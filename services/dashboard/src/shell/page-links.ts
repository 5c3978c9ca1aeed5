import type { Role } from '@sluice/contract/account/roles';
import type { IconName } from '../ui/icons.tsx';

export interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly role: Role;
  /** Nested under the link before it. */
  readonly nested?: boolean;
  /** Marked as current only at this exact path. */
  readonly exact?: boolean;
}

export const PAGE_LINKS: readonly { readonly section: string; readonly links: readonly PageLink[] }[] = [
  {
    section: '',
    links: [
      { to: '/', label: 'Overview', icon: 'overview', role: 'viewer', exact: true },
      { to: '/deliveries', label: 'Deliveries', icon: 'send', role: 'viewer' },
    ],
  },
  {
    section: 'Knowledge',
    links: [
      { to: '/events', label: 'Events', icon: 'events', role: 'viewer', exact: true },
      { to: '/events/webhook', label: 'Webhook', icon: 'webhook', role: 'viewer', nested: true },
      { to: '/events/import', label: 'Import', icon: 'download', role: 'admin', nested: true },
    ],
  },
  {
    section: 'Customers',
    links: [
      { to: '/leads', label: 'Leads', icon: 'lead', role: 'viewer', exact: true },
      { to: '/leads/import', label: 'Import leads', icon: 'upload', role: 'admin', nested: true },
      { to: '/conversations', label: 'Conversations', icon: 'conversations', role: 'viewer' },
    ],
  },
  {
    section: 'Settings',
    links: [
      { to: '/settings/integrations', label: 'Integrations', icon: 'link', role: 'viewer' },
      { to: '/settings/api-keys', label: 'API Keys', icon: 'key', role: 'viewer' },
      { to: '/settings/webhooks', label: 'Webhook subscriptions', icon: 'send', role: 'admin' },
      { to: '/settings/pipeline', label: 'Pipeline', icon: 'pipeline', role: 'viewer' },
      { to: '/settings/channels', label: 'Channels', icon: 'channel', role: 'viewer' },
      { to: '/settings/members', label: 'Members', icon: 'members', role: 'viewer' },
      { to: '/settings/audit-log', label: 'Audit log', icon: 'audit', role: 'admin' },
    ],
  },
  {
    section: 'Installation',
    links: [{ to: '/ops', label: 'Ops', icon: 'ops', role: 'owner' }],
  },
];

/** The tabs of a source's page, as in its address. */
export type SourceTab = 'setup' | 'deliveries' | 'mapping' | 'test' | 'settings';

/** Returns the address of a tab of the page of a source or a channel. The id shows which it is. A channel has no test. */
export function endpointPath(id: string, tab: SourceTab): string {
  return isChannelId(id) ? `/settings/channels/${id}/${tab}` : `/events/webhook/${id}/${tab}`;
}

/** Returns whether a text is the id of a delivery, or of a request, which finds a rejected request. */
export function isDeliveryId(text: string): boolean {
  return /^(dlv|req)_\w+$/.test(text);
}

/** Returns whether a text is the id of a lead. */
export function isLeadId(text: string): boolean {
  return /^lead_\w+$/.test(text);
}

/** Returns the address of a lead. */
export function leadPath(id: string): string {
  return `/leads?lead=${id}`;
}

/** Returns the address of an event. */
export function eventPath(id: string): string {
  return `/events?event=${id}`;
}

/** Returns the address of a delivery, whatever its source. */
export function deliveryPath(id: string): string {
  return `/deliveries/${id}`;
}

/** In place of the id of a delivery: the latest one that matches the filters of the address. */
export const LATEST_DELIVERY = 'latest';

/** Returns the address of the latest delivery of all sources that matches some filters. */
export function latestDeliveryPath(search: Readonly<Record<string, string>>): string {
  return `/deliveries?${new URLSearchParams({ ...search, delivery: LATEST_DELIVERY })}`;
}

/** Returns the address of Recent Deliveries of a source or channel, with a delivery open or filters set. */
export function deliveriesPath(id: string, search: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(search).toString();
  return endpointPath(id, 'deliveries') + (query === '' ? '' : `?${query}`);
}

/** Returns the address of the mapping of a source, with the body of a delivery open. */
export function mappingPath({ source_id, delivery_id }: { source_id: string; delivery_id: string }): string {
  return `${endpointPath(source_id, 'mapping')}?delivery=${delivery_id}`;
}

/** Returns whether the id of a source is that of a channel. */
export function isChannelId(sourceId: string): boolean {
  return sourceId.startsWith('chn_');
}

/** Returns the address of a conversation. */
export function conversationPath(conversationId: string): string {
  return `/conversations/${conversationId}`;
}

/** The tabs of a webhook subscription's page, as in its address. */
export type WebhookTab = 'setup' | 'messages' | 'settings';

/** Returns the address of a tab of a webhook subscription's page. */
export function webhookPath(webhookId: string, tab: WebhookTab): string {
  return `/settings/webhooks/${webhookId}/${tab}`;
}
