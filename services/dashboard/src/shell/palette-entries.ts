import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../api/queries.ts';
import type { IconName } from '../ui/icons.tsx';
import { useMayOpen } from './me.tsx';
import {
  channelPath,
  deliveriesPath,
  deliveryPath,
  isDeliveryId,
  isLeadId,
  leadPath,
  PAGE_LINKS,
  sourcePath,
} from './page-links.ts';

interface Entry {
  readonly to: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
}

const MAX_ENTRIES = 8;

/** Returns the entries that match a text. */
export function usePaletteEntries(text: string): readonly Entry[] {
  const sources = useRead(ROUTES.sources.list, {});
  const channels = useRead(ROUTES.channels.list, {});
  const keys = useRead(ROUTES.keys.list, {});
  const mayOpen = useMayOpen();
  const wanted = text.trim();
  if (isDeliveryId(wanted)) {
    return [{ to: deliveryPath(wanted), label: wanted, hint: 'Delivery', icon: 'webhook' }];
  }
  if (isLeadId(wanted)) return [{ to: leadPath(wanted), label: wanted, hint: 'Lead', icon: 'lead' }];
  const pages = PAGE_LINKS.flatMap(({ links, section }) =>
    links.filter(mayOpen).map(({ to, label, icon }): Entry => ({ to, label, icon, hint: section || 'Page' })),
  );
  const sourceEntries = (sources.data?.items ?? []).flatMap(({ source_id, name }): Entry[] => [
    {
      to: deliveriesPath(source_id),
      label: name,
      hint: 'Recent Deliveries',
      icon: 'webhook',
    },
    { to: sourcePath(source_id, 'setup'), label: name, hint: 'Set up', icon: 'webhook' },
  ]);
  const channelEntries = (channels.data?.items ?? []).map(
    ({ channel_id, name }): Entry => ({
      to: channelPath(channel_id, 'setup'),
      label: name,
      hint: 'Channel',
      icon: 'channel',
    }),
  );
  const keyEntries = (keys.data?.items ?? []).map(
    ({ key_id, name, prefix }): Entry => ({
      to: `/settings/api-keys?key=${key_id}`,
      label: name,
      hint: prefix,
      icon: 'key',
    }),
  );
  return [...pages, ...sourceEntries, ...channelEntries, ...keyEntries]
    .filter(({ label, hint }) => `${label} ${hint}`.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, MAX_ENTRIES);
}
