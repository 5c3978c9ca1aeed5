import { Button } from '@mantine/core';
import { EVENT_ORIGINS, EVENT_STATUSES } from '@sluice/contract/event/event-fields';
import type { EventQuery } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { usePages, useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import type { PageLink } from '../../shell/page-links.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Listed, ShowMore } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import { useAddress } from '../../ui/use-address.ts';
import { useOpened } from '../../ui/use-opened.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { isFiltered, ORIGIN_WORDS, readEventQuery } from './event-query.ts';
import { EventTable } from './event-table.tsx';

/** A separate chunk: most users open the list. */
const Calendar = onDemand(async () => (await import('./calendar.tsx')).Calendar);

const PAGE = 50;
const REFRESH_MS = 10_000;

export function EventsPage() {
  const { search, change, clear } = useAddress();
  const query = readEventQuery(search);
  const asCalendar = search.get('view') === 'calendar';
  const mayChange = useMay('admin');
  const event = useOpened('event', focusEvent);
  const events = usePages(
    ROUTES.events.list,
    { query: { ...query, limit: PAGE } },
    { refetchInterval: REFRESH_MS, enabled: !asCalendar },
  );
  return (
    <Page
      title="Events"
      crumbs={[{ label: 'Knowledge' }]}
      lead="All events of this account, kept in sync by its webhook sources."
      actions={
        <>
          {mayChange && <PageButton to="/events/import" icon="download" label="Import" />}
          <PageButton to="/events/webhook" icon="webhook" label="Webhook" />
        </>
      }
    >
      <div className="stack-small">
        <EventFilters
          query={query}
          asCalendar={asCalendar}
          onChange={(name, value) => change({ [name]: value })}
        />
        {asCalendar ? (
          <Calendar
            query={query}
            month={search.get('month')}
            onMonth={(month) => change({ month })}
            onOpen={event.open}
          />
        ) : (
          <Card flush>
            <Listed
              list={events}
              empty={<NoEvents query={query} onWhen={(when) => change({ when })} onClear={clear} />}
            >
              <EventTable items={events.items} onOpen={event.open} />
            </Listed>
          </Card>
        )}
        {!asCalendar && <ShowMore key={JSON.stringify(query)} list={events} className="center" />}
      </div>
      <EventDrawer eventId={event.openId} onClose={event.close} onMoved={event.open} />
    </Page>
  );
}

function focusEvent(eventId: string): void {
  document.querySelector<HTMLElement>(`[data-event="${CSS.escape(eventId)}"]`)?.focus();
}

function PageButton({ to, icon, label }: Pick<PageLink, 'to' | 'icon' | 'label'>) {
  return (
    <Button component={Link} to={to} variant="default" leftSection={<Icon name={icon} size={16} />}>
      {label}
    </Button>
  );
}

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

/** The filter of a link to an import. It is not offered otherwise. */
function oneImport(id: string) {
  const data = [
    { value: '', label: 'Any import' },
    { value: id, label: 'One import' },
  ];
  return { name: 'import', label: 'Import', data, value: id };
}

interface EventFiltersProps {
  readonly query: EventQuery;
  /** A calendar shows a whole month, past or not. */
  readonly asCalendar: boolean;
  /** An empty value selects the default. */
  readonly onChange: (name: string, value: string) => void;
}

function EventFilters({ query, asCalendar, onChange }: EventFiltersProps) {
  const { q = '', when, status, origin, import_id, include_deleted: deleted } = query;
  return (
    <FilterBar
      of="events"
      search={{
        name: 'q',
        label: 'Search in title and location',
        placeholder: 'Search title or location',
        value: q,
      }}
      filters={[
        { name: 'view', label: 'View', as: 'segments', data: VIEWS, value: asCalendar ? 'calendar' : '' },
        !asCalendar && {
          name: 'when',
          label: 'When',
          as: 'segments',
          data: WHENS,
          value: when === 'upcoming' ? '' : when,
        },
      ]}
      more={[
        { name: 'status', label: 'Status', data: STATUSES, value: status },
        { name: 'origin', label: 'Origin', data: ORIGINS, value: origin },
        ...(import_id === undefined ? [] : [oneImport(import_id)]),
      ]}
      othersSet={deleted === undefined ? 0 : 1}
      onChange={onChange}
    >
      <Switch
        label="Include deleted"
        checked={deleted === 'true'}
        onChange={(event) => onChange('deleted', event.currentTarget.checked ? 'true' : '')}
      />
    </FilterBar>
  );
}

interface NoEventsProps {
  readonly query: EventQuery;
  /** The value in the address: empty for upcoming events. */
  readonly onWhen: (when: string) => void;
  readonly onClear: () => void;
}

/** An empty list. It says whether past or upcoming events would match. */
function NoEvents({ query, onWhen, onClear }: NoEventsProps) {
  const { when = 'upcoming' } = query;
  const other = when === 'past' ? 'upcoming' : 'past';
  const others = useRead(
    ROUTES.events.list,
    { query: { ...query, when: other, limit: 1 } },
    { enabled: when !== 'all' },
  );
  const hasOthers = others.data !== undefined && others.data.items.length > 0;
  const filtered = isFiltered({ ...query, when: 'upcoming' });
  const show = hasOthers && (
    <Button onClick={() => onWhen(other === 'past' ? 'past' : '')}>Show {other} events</Button>
  );
  if (filtered || when === 'past') {
    const clear = (
      <Button variant="default" onClick={onClear}>
        Clear all filters
      </Button>
    );
    const title = hasOthers ? `No ${when} event matches` : 'No event matches';
    return (
      <Empty icon="search" title={title} actions={[show, clear]}>
        {hasOthers && `${other === 'past' ? 'Past' : 'Upcoming'} events match.`}
      </Empty>
    );
  }
  return (
    <Empty
      icon="events"
      title={when === 'all' ? 'No events yet' : 'No upcoming events'}
      actions={
        hasOthers ? (
          show
        ) : (
          <Button component={Link} to="/events/webhook">
            Set up a webhook source
          </Button>
        )
      }
    >
      {hasOthers ? 'There are past events.' : 'Events appear here as soon as a source sends them.'}
    </Empty>
  );
}
