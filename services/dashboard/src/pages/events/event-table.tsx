import type { EventItem } from '@sluice/dashboard-api/events';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import table from '../../ui/table.module.css';
import { type Column, Table } from '../../ui/table.tsx';
import { isUtcHere, shortDay, shortLocalTime, shortUtc, utc } from '../../ui/time.ts';
import { RowLink } from '../../ui/use-opened.tsx';
import { ORIGIN_WORDS } from './event-query.ts';
import classes from './events.module.css';
import { isPast, nextStart, zoneTimeOfDay } from './occurrences.ts';

interface EventTableProps {
  readonly items: readonly EventItem[];
  readonly onOpen: (eventId: string) => void;
}

const COLUMNS: readonly Column<EventItem>[] = [
  {
    head: 'Title',
    label: null,
    className: classes.title,
    cell: ({ event_id: id, title }) => (
      <RowLink name="event" id={id}>
        {title}
      </RowLink>
    ),
  },
  { head: 'Starts', className: classes.starts, cell: (event) => <Starts event={event} /> },
  {
    head: 'Location',
    className: `${table.roomy} ${classes.place}`,
    cell: ({ location }) => location ?? <span className="dimmed">–</span>,
  },
  {
    head: 'Recurring',
    className: ({ recurring }) => (recurring === null ? classes.once : classes.recurs),
    cell: ({ recurring }) => recurring ?? <span className="dimmed">once</span>,
  },
  { head: 'Status', className: classes.status, cell: (event) => <EventStatusChip event={event} /> },
  {
    head: 'Source',
    className: `${table.roomy} ${classes.source}`,
    cell: ({ source_name, source_deleted }) => (
      <>
        {source_name}
        {source_deleted && <span className="dimmed small">deleted source</span>}
      </>
    ),
  },
  {
    head: 'Origin',
    className: `${table.whole} ${classes.extra}`,
    cell: ({ origin }) => (origin === null ? '–' : ORIGIN_WORDS[origin]),
  },
  {
    head: 'Updated',
    className: classes.extra,
    cell: ({ deleted_at, updated_at }) => <Ago at={deleted_at ?? updated_at} otherwise="–" />,
  },
];

export function EventTable({ items, onOpen }: EventTableProps) {
  return (
    <Table
      items={items}
      columns={COLUMNS}
      keyOf={({ event_id }) => event_id}
      className={classes.cards}
      onOpen={({ event_id }) => onOpen(event_id)}
      rowProps={({ event_id }) => ({ 'data-event': event_id })}
    />
  );
}

/** The time in UTC, unless the viewer's clocks show it already. */
function otherTime(at: string): string {
  return isUtcHere(at) ? 'UTC' : shortUtc(at);
}

/** The time of day where the series takes place, if it differs from the viewer's. */
function clockOfSeries(at: string, { time_zone }: EventItem): string {
  const clock = time_zone === null ? null : zoneTimeOfDay(at, time_zone);
  return clock === null ? '' : `${clock}, `;
}

/** The next start of a series, and when it began. */
function Starts({ event }: { readonly event: EventItem }) {
  const next = nextStart(event, Date.now());
  const at = next ?? event.starts_at;
  return (
    <time dateTime={at} title={utc(at)} className="nowrap">
      {shortLocalTime(at)}
      <span className={classes.utc}>
        {next === null ? otherTime(at) : `${clockOfSeries(at, event)}since ${shortDay(event.starts_at)}`}
      </span>
    </time>
  );
}

/** The state of an event. One that is over is past, although its stored status stays `upcoming`. */
export function EventStatusChip({ event }: { readonly event: EventItem }) {
  if (event.deleted_at !== null) {
    return (
      <Chip tone="quiet" icon="trash">
        deleted
      </Chip>
    );
  }
  if (event.status === 'cancelled')
    return (
      <Chip tone="warn" icon="cross">
        cancelled
      </Chip>
    );
  return isPast(event, Date.now()) ? (
    <Chip tone="quiet">past</Chip>
  ) : (
    <Chip tone="ok" icon="check">
      upcoming
    </Chip>
  );
}
