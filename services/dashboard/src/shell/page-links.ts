import type { Role } from '@sluice/contract/roles';
import type { IconName } from '../ui/icons.tsx';

export interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly role: Role;
  /** Open to operators whatever their role. */
  readonly operators?: boolean;
  /** Belongs under the one before. */
  readonly nested?: boolean;
  /** Current only at this very path, not below it. */
  readonly exact?: boolean;
}

export const PAGE_LINKS: readonly { readonly section: string; readonly links: readonly PageLink[] }[] = [
  { section: '', links: [{ to: '/', label: 'Overview', icon: 'overview', role: 'viewer', exact: true }] },
  {
    section: 'Knowledge',
    links: [
      { to: '/events', label: 'Events', icon: 'events', role: 'viewer', exact: true },
      { to: '/events/webhook', label: 'Webhook', icon: 'webhook', role: 'viewer', nested: true },
      { to: '/events/import', label: 'Import', icon: 'download', role: 'admin', nested: true },
    ],
  },
  {
    section: 'Settings',
    links: [
      { to: '/settings/api-keys', label: 'API Keys', icon: 'key', role: 'viewer' },
      { to: '/settings/members', label: 'Members', icon: 'members', role: 'viewer' },
      { to: '/settings/audit-log', label: 'Audit log', icon: 'audit', role: 'admin' },
    ],
  },
  {
    section: 'Installation',
    links: [{ to: '/ops', label: 'Ops', icon: 'ops', role: 'owner', operators: true }],
  },
];

/** The tabs of a source's page, as its address names them. */
export type SourceTab = 'setup' | 'deliveries' | 'test' | 'settings';

/** The address of a tab of a source's page. */
export function sourcePath(sourceId: string, tab: SourceTab): string {
  return `/events/webhook/${sourceId}/${tab}`;
}

/** Is it the id of a delivery, or of a request, by which a refusal is found? */
export function isDeliveryId(text: string): boolean {
  return /^(dlv|req)_\w+$/.test(text);
}

/** The address that leads to a delivery, whatever its source. */
export function deliveryPath(id: string): string {
  return `/deliveries/${id}`;
}

/** The address of a source's Recent Deliveries, with a delivery open or filters set. */
export function deliveriesPath(sourceId: string, search: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(search).toString();
  return sourcePath(sourceId, 'deliveries') + (query === '' ? '' : `?${query}`);
}
