import { useDebouncedValue } from '@mantine/hooks';
import type { EventItem } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../api/queries.ts';
import type { IconName } from '../ui/icons.tsx';
import { shortLocalTime } from '../ui/time.ts';
import { useMayOpen } from './me.tsx';
import {
  channelPath,
  conversationPath,
  deliveriesPath,
  deliveryPath,
  eventPath,
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
/** Titles of events are searched after a pause, because the server searches them. */
const SEARCH_AFTER_MS = 200;
const SHORTEST_SEARCH = 2;
const EVENTS = 5;

/** Returns the entries that match a text. */
export function usePaletteEntries(text: string): readonly Entry[] {
  const sources = useRead(ROUTES.sources.list, {});
  const channels = useRead(ROUTES.channels.list, {});
  const keys = useRead(ROUTES.keys.list, {});
  const mayOpen = useMayOpen();
  const [searched] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS);
  const enabled = searched.length >= SHORTEST_SEARCH;
  const events = useRead(
    ROUTES.events.list,
    { query: { q: searched, when: 'all', limit: EVENTS } },
    { enabled, keep: true },
  );
  const wanted = text.trim();
  if (isDeliveryId(wanted)) {
    return [{ to: deliveryPath(wanted), label: wanted, hint: 'Delivery', icon: 'webhook' }];
  }
  const [, kind = ''] = /^(evt|src|chn|conv|key)_\w+$/.exec(wanted) ?? [];
  const byId = kind === '' ? undefined : ID_PATHS[kind];
  if (byId !== undefined) return [{ to: byId.path(wanted), label: wanted, hint: byId.hint, icon: byId.icon }];
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
  const found = [...pages, ...sourceEntries, ...channelEntries, ...keyEntries].filter(({ label, hint }) =>
    `${label} ${hint}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  const eventEntries = enabled && searched === wanted ? (events.data?.items ?? []).map(eventEntry) : [];
  // Titles have their place even if many pages match.
  return [...found.slice(0, MAX_ENTRIES - eventEntries.length), ...eventEntries];
}

function eventEntry({ event_id, title, starts_at }: EventItem): Entry {
  return { to: eventPath(event_id), label: title, hint: shortLocalTime(starts_at), icon: 'events' };
}

/** The pages of pasted ids, by their prefix. */
const ID_PATHS: Readonly<Record<string, { path: (id: string) => string; hint: string; icon: IconName }>> = {
  evt: { path: eventPath, hint: 'Event', icon: 'events' },
  src: { path: (id) => deliveriesPath(id), hint: 'Source', icon: 'webhook' },
  chn: { path: (id) => channelPath(id, 'setup'), hint: 'Channel', icon: 'channel' },
  conv: { path: conversationPath, hint: 'Conversation', icon: 'conversations' },
  key: { path: (id) => `/settings/api-keys?key=${id}`, hint: 'API key', icon: 'key' },
};
