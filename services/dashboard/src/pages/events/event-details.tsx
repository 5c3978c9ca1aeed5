import { EVENT_FIELD_NAMES, EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import type { EventDetail, EventItem } from '@sluice/dashboard-api/events';
import { useMay } from '../../shell/me.tsx';
import { Copied, CopyButton } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
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
      <Facts
        of={{
          ...factsOf(event),
          'Event id': <Copied text={event.event_id} what="event id" />,
          Identity: (
            <span className="line">
              <span className="dimmed small">
                {event.external_id === null ? 'Title, start and location' : 'The external id'}, exactly as
                cancel and delete requests must send {event.external_id === null ? 'them' : 'it'}
              </span>
              <CopyButton text={identityOf(event)} what="identity as JSON" />
            </span>
          ),
        }}
      />
      {mayChange && <EventActions detail={detail} onMoved={onMoved} />}
      <EventHistory detail={detail} />
    </div>
  );
}

/** The fields that are shown as they are. */
const FACTS = EVENT_FIELD_NAMES.filter((name) => !['title', 'starts_at', 'ends_at', 'status'].includes(name));

function factsOf(event: EventItem): Record<string, string | null> {
  const next = nextStart(event, Date.now());
  return {
    Starts: eventTime(event.starts_at, event.time_zone),
    'Next start': next === null ? null : eventTime(next, event.time_zone),
    Ends: event.ends_at === null ? null : eventTime(event.ends_at, event.time_zone),
    ...Object.fromEntries(FACTS.map((name) => [EVENT_FIELDS[name].label, event[name]])),
    Source: event.source_deleted ? `${event.source_name} (deleted)` : event.source_name,
    Origin: event.origin === null ? null : ORIGIN_WORDS[event.origin],
  };
}

function identityOf({ title, starts_at, location, external_id }: EventItem): string {
  if (external_id !== null) return JSON.stringify({ external_id });
  return JSON.stringify({ title, starts_at, ...(location === null || location === '' ? {} : { location }) });
}
