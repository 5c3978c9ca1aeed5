import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { EventItem } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead } from '../api/queries.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Modal } from '../ui/modal.tsx';
import { shortLocalTime } from '../ui/time.ts';
import classes from './command-palette.module.css';
import { useMayOpen } from './me.tsx';
import {
  conversationPath,
  deliveriesPath,
  deliveryPath,
  endpointPath,
  eventPath,
  isDeliveryId,
  isLeadId,
  leadPath,
  PAGE_LINKS,
} from './page-links.ts';

interface CommandPaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Opens a page, a source, a key or an event by its title. A pasted id opens what it names. It begins empty each time. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  return opened ? <Palette onClose={onClose} /> : null;
}

function Palette({ onClose }: Pick<CommandPaletteProps, 'onClose'>) {
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  const navigate = useNavigate();
  const entries = usePaletteEntries(text);
  const go = (to: string | undefined) => {
    if (to === undefined) return;
    onClose();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setCurrent((index) => (index + step + entries.length) % Math.max(1, entries.length));
    }
    if (event.key === 'Enter') go(entries[current]?.to);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="md"
      attributes={{ content: { 'aria-label': 'Go to' } }}
      yOffset="12vh"
      centered={false}
    >
      <TextInput
        data-autofocus
        autoFocus
        role="combobox"
        aria-label="Go to a page, a source, a key, the title of an event, or an id"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={entries[current] === undefined ? undefined : `palette-${current}`}
        placeholder="Page, source, key, title, or a pasted id"
        leftSection={<Icon name="search" />}
        size="md"
        variant="unstyled"
        className={classes.input}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setCurrent(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette" role="listbox" aria-label="Places" className={classes.list}>
        {entries.map(({ to, label, hint, icon }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
          <div
            key={to}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === current}
            tabIndex={-1}
            className={classes.entry}
            onClick={() => go(to)}
            onMouseMove={() => setCurrent(index)}
          >
            <Icon name={icon} />
            <span className="ellipsis">{label}</span>
            <span className={classes.hint}>{hint}</span>
          </div>
        ))}
        {entries.length === 0 && <p className={classes.none}>No matches.</p>}
      </div>
    </Modal>
  );
}

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
function usePaletteEntries(text: string): readonly Entry[] {
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
    { to: endpointPath(source_id, 'setup'), label: name, hint: 'Set up', icon: 'webhook' },
  ]);
  const channelEntries = (channels.data?.items ?? []).map(
    ({ channel_id, name }): Entry => ({
      to: endpointPath(channel_id, 'setup'),
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
  chn: { path: (id) => endpointPath(id, 'setup'), hint: 'Channel', icon: 'channel' },
  conv: { path: conversationPath, hint: 'Conversation', icon: 'conversations' },
  key: { path: (id) => `/settings/api-keys?key=${id}`, hint: 'API key', icon: 'key' },
};
