import { Drawer } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/states.tsx';
import { EventDetails } from './event-details.tsx';

const REFRESH_MS = 3000;

interface EventDrawerProps {
  /** null: closed. */
  readonly eventId: string | null;
  readonly onClose: () => void;
}

export function EventDrawer({ eventId, onClose }: EventDrawerProps) {
  return (
    <Drawer opened={eventId !== null} onClose={onClose} title="Event" size="40rem" returnFocus={false}>
      {eventId !== null && <Content key={eventId} eventId={eventId} />}
    </Drawer>
  );
}

function Content({ eventId }: { readonly eventId: string }) {
  const detail = useRead(ROUTES.events.show, { params: { eventId } }, { everyMs: REFRESH_MS });
  return <Loaded query={detail}>{(data) => <EventDetails detail={data} />}</Loaded>;
}
