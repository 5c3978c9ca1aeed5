import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Drawer } from '../../ui/modal.tsx';
import { Loaded, RowsSkeleton } from '../../ui/states.tsx';
import { EventDetails } from './event-details.tsx';

const REFRESH_MS = 3000;
const SOON_MS = 500;

interface EventDrawerProps {
  /** null: closed. */
  readonly eventId: string | null;
  readonly onClose: () => void;
  /** Opens the event that replaces the open one. */
  readonly onMoved: (eventId: string) => void;
}

export function EventDrawer({ eventId, onClose, onMoved }: EventDrawerProps) {
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const move = (id: string) => {
    setMovedTo(id);
    onMoved(id);
  };
  return (
    <Drawer opened={eventId !== null} onClose={onClose} title="Event" size="40rem" returnFocus={false}>
      {eventId !== null && (
        <Content key={eventId} eventId={eventId} isNew={eventId === movedTo} onMoved={move} />
      )}
    </Drawer>
  );
}

interface ContentProps extends Pick<EventDrawerProps, 'onMoved'> {
  readonly eventId: string;
  /** It exists once its action is applied. */
  readonly isNew: boolean;
}

function Content({ eventId, isNew, onMoved }: ContentProps) {
  const everyMs = isNew ? SOON_MS : REFRESH_MS;
  const detail = useRead(ROUTES.events.show, { params: { eventId } }, { everyMs, awaited: isNew });
  if (isNew && detail.data === undefined) return <RowsSkeleton rows={6} />;
  return <Loaded query={detail}>{(data) => <EventDetails detail={data} onMoved={onMoved} />}</Loaded>;
}
