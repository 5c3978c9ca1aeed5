import type { EventItem } from '@sluice/dashboard-api/events';
import { Ago } from '../../ui/ago.tsx';
import table from '../../ui/table.module.css';
import { isUtcHere, shortDay, shortLocalTime, shortUtc, utc } from '../../ui/time.ts';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { ORIGIN_WORDS } from './event-query.ts';
import { EventStatusChip } from './event-status-chip.tsx';
import { zoneTimeOfDay } from './event-time.ts';
import classes from './events.module.css';
import { nextStart } from './next-start.ts';

interface EventTableProps {
  readonly items: readonly EventItem[];
  readonly onOpen: (eventId: string) => void;
}

export function EventTable({ items, onOpen }: EventTableProps) {
  const body = useTableKeys();
  return (
    <table className={`${table.table} ${classes.cards}`}>
      <thead>
        <tr>
          <th>Title</th>
          <th>Starts</th>
          <th>Location</th>
          <th>Recurring</th>
          <th>Status</th>
          <th>Source</th>
          <th>Origin</th>
          <th>Updated</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((event) => (
          <tr
            key={event.event_id}
            data-open
            data-event={event.event_id}
            tabIndex={0}
            onClick={() => onOpen(event.event_id)}
            onKeyDown={(key) => key.key === 'Enter' && onOpen(event.event_id)}
          >
            <td className={classes.title}>{event.title}</td>
            <td data-label="Starts" className={classes.starts}>
              <Starts event={event} />
            </td>
            <td data-label="Location" className={`${table.roomy} ${classes.place}`}>
              {event.location ?? <span className="dimmed">–</span>}
            </td>
            <td data-label="Recurring" className={event.recurring === null ? classes.once : classes.recurs}>
              {event.recurring ?? <span className="dimmed">once</span>}
            </td>
            <td data-label="Status" className={classes.status}>
              <EventStatusChip event={event} />
            </td>
            <td data-label="Source" className={`${table.roomy} ${classes.source}`}>
              {event.source_name}
              {event.source_deleted && <span className={classes.gone}>deleted source</span>}
            </td>
            <td data-label="Origin" className={`${table.whole} ${classes.extra}`}>
              {event.origin === null ? '–' : ORIGIN_WORDS[event.origin]}
            </td>
            <td data-label="Updated" className={classes.extra}>
              <Ago at={event.deleted_at ?? event.updated_at} otherwise="–" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
