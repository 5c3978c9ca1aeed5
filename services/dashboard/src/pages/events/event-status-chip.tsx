import type { EventItem } from '@sluice/dashboard-api/events';
import { Chip } from '../../ui/chip.tsx';
import { isPast } from './is-past.ts';

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
