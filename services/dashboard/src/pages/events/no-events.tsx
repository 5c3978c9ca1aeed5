import { Button } from '@mantine/core';
import type { EventQuery } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { Empty } from '../../ui/states.tsx';
import { isFiltered } from './event-query.ts';

interface NoEventsProps {
  readonly query: EventQuery;
  /** The value in the address: empty for upcoming events. */
  readonly onWhen: (when: string) => void;
  readonly onClear: () => void;
}

/** An empty list. It says whether past or upcoming events would match. */
export function NoEvents({ query, onWhen, onClear }: NoEventsProps) {
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
