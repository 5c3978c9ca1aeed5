import { EVENT_FIELD_NAMES, EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import type { EventDetail, EventItem } from '@sluice/dashboard-api/events';
import { useMay } from '../../shell/me.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { EventActions } from './event-actions.tsx';
import { EventHistory } from './event-history.tsx';
import { ORIGIN_WORDS } from './event-query.ts';
import { EventStatusChip } from './event-table.tsx';
import { eventTime, nextStart } from './occurrences.ts';

interface EventDetailsProps {
  readonly detail: EventDetail;
  readonly onMoved: (eventId: string, deliveryId: string) => void;
}

export function EventDetails({ detail, onMoved }: EventDetailsProps) {
  const { event } = detail;
  const mayChange = useMay('admin');
  return (
    <div className="stack">
      <div className="row">
        <strong className="breaks">{event.title}</strong>
        <EventStatusChip event={event} />
      </div>
      <dl className="pairs">
        {factsOf(event).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <dt>Event id</dt>
        <dd>
          <code>{event.event_id}</code> <CopyButton text={event.event_id} what="event id" />
        </dd>
        <dt>Identity</dt>
        <dd className="line">
          <span className="dimmed small">
            {event.external_id === null ? 'Title, start and location' : 'The external id'}, exactly as cancel
            and delete requests must send {event.external_id === null ? 'them' : 'it'}
          </span>
          <CopyButton text={identityOf(event)} what="identity as JSON" />
        </dd>
      </dl>
      {mayChange && <EventActions detail={detail} onMoved={onMoved} />}
      <EventHistory detail={detail} />
    </div>
  );
}

/** The fields that are shown as they are. */
const FACTS = EVENT_FIELD_NAMES.filter((name) => !['title', 'starts_at', 'ends_at', 'status'].includes(name));

function factsOf(event: EventItem): [string, string][] {
  const next = nextStart(event, Date.now());
  const rows: [string, string | null][] = [
    ['Starts', eventTime(event.starts_at, event.time_zone)],
    ['Next start', next === null ? null : eventTime(next, event.time_zone)],
    ['Ends', event.ends_at === null ? null : eventTime(event.ends_at, event.time_zone)],
    ...FACTS.map((name): [string, string | null] => [EVENT_FIELDS[name].label, event[name]]),
    ['Source', event.source_deleted ? `${event.source_name} (deleted)` : event.source_name],
    ['Origin', event.origin === null ? null : ORIGIN_WORDS[event.origin]],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '');
}

function identityOf({ title, starts_at, location, external_id }: EventItem): string {
  if (external_id !== null) return JSON.stringify({ external_id });
  return JSON.stringify({ title, starts_at, ...(location === null || location === '' ? {} : { location }) });
}
