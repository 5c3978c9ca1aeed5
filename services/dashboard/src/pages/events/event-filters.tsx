import { SegmentedControl } from '@mantine/core';
import { EVENT_ORIGINS, EVENT_STATUSES } from '@sluice/contract/event-fields';
import type { EventQuery } from '@sluice/dashboard-api/events';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { MoreFilters } from '../../ui/more-filters.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Switch } from '../../ui/switch.ts';
import { ORIGIN_WORDS } from './event-query.ts';
import classes from './events.module.css';

const VIEWS = [
  { value: '', label: 'List' },
  { value: 'calendar', label: 'Calendar' },
];
const WHENS = [
  { value: '', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'all', label: 'All' },
];
const STATUSES = [{ value: '', label: 'Any status' }, ...EVENT_STATUSES];
const ORIGINS = [
  { value: '', label: 'Any origin' },
  ...EVENT_ORIGINS.map((value) => ({ value, label: ORIGIN_WORDS[value] })),
];

interface EventFiltersProps {
  readonly query: EventQuery;
  /** A calendar shows a whole month, past or not. */
  readonly asCalendar: boolean;
  /** An empty value selects the default. */
  readonly onChange: (name: string, value: string) => void;
}

export function EventFilters({ query, asCalendar, onChange }: EventFiltersProps) {
  return (
    <search className={classes.filters} aria-label="Filter events">
      <SearchField
        className={classes.search}
        label="Search in title and location"
        placeholder="Search title or location  ( / )"
        value={query.q ?? ''}
        onChange={(text) => onChange('q', text)}
      />
      <SegmentedControl
        aria-label="View"
        data={VIEWS}
        value={asCalendar ? 'calendar' : ''}
        onChange={(value) => onChange('view', value)}
      />
      {!asCalendar && (
        <SegmentedControl
          aria-label="When"
          data={WHENS}
          value={query.when === 'upcoming' ? '' : (query.when ?? '')}
          onChange={(value) => onChange('when', value)}
        />
      )}
      <MoreFilters count={countOf(query)}>
        <FilterSelect
          label="Status"
          data={STATUSES}
          value={query.status}
          onChange={(value) => onChange('status', value)}
        />
        <FilterSelect
          label="Origin"
          data={ORIGINS}
          value={query.origin}
          onChange={(value) => onChange('origin', value)}
        />
        <Switch
          label="Include deleted"
          checked={query.include_deleted === 'true'}
          onChange={(event) => onChange('deleted', event.currentTarget.checked ? 'true' : '')}
        />
      </MoreFilters>
    </search>
  );
}

function countOf({ status, origin, include_deleted }: EventQuery): number {
  return [status, origin, include_deleted].filter((one) => one !== undefined).length;
}
