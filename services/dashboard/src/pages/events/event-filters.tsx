import { NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { EventQuery } from '@sluice/contract/dashboard/events';
import { EVENT_ORIGINS } from '@sluice/contract/event-fields';
import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { ORIGIN_WORDS } from './event-query.ts';
import classes from './events.module.css';

const TYPING_MS = 250;

interface EventFiltersProps {
  readonly query: EventQuery;
  /** A calendar shows a month, whether it is past or not. */
  readonly asCalendar: boolean;
  readonly onChange: (name: string, value: string) => void;
}

export function EventFilters({ query, asCalendar, onChange }: EventFiltersProps) {
  const [text, setText] = useState(query.q ?? '');
  const search = useDebouncedCallback((value: string) => onChange('q', value), TYPING_MS);
  return (
    <search className={classes.filters} aria-label="Filter events">
      <TextInput
        data-filter
        className={classes.search}
        aria-label="Search in title and location"
        placeholder="Search title or location  ( / )"
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <SegmentedControl
        aria-label="View"
        data={[
          { value: 'list', label: 'List' },
          { value: 'calendar', label: 'Calendar' },
        ]}
        value={asCalendar ? 'calendar' : 'list'}
        onChange={(value) => onChange('view', value === 'list' ? '' : value)}
      />
      {!asCalendar && (
        <SegmentedControl
          aria-label="When"
          data={[
            { value: 'upcoming', label: 'Upcoming' },
            { value: 'past', label: 'Past' },
            { value: 'all', label: 'All' },
          ]}
          value={query.when ?? 'upcoming'}
          onChange={(value) => onChange('when', value === 'upcoming' ? '' : value)}
        />
      )}
      <NativeSelect
        aria-label="Status"
        data={[
          { value: '', label: 'Any status' },
          { value: 'upcoming', label: 'upcoming' },
          { value: 'cancelled', label: 'cancelled' },
        ]}
        value={query.status ?? ''}
        onChange={(event) => onChange('status', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Origin"
        data={[
          { value: '', label: 'Any origin' },
          ...EVENT_ORIGINS.map((value) => ({ value, label: ORIGIN_WORDS[value] })),
        ]}
        value={query.origin ?? ''}
        onChange={(event) => onChange('origin', event.currentTarget.value)}
      />
      <Switch
        label="Deleted too"
        checked={query.include_deleted === 'true'}
        onChange={(event) => onChange('deleted', event.currentTarget.checked ? 'true' : '')}
      />
    </search>
  );
}
