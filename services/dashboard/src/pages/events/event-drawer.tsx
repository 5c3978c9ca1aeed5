import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useState } from 'react';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { Drawer } from '../../ui/modal.tsx';
import { Loaded, Note, RowsSkeleton } from '../../ui/states.tsx';
import { EventDetails } from './event-details.tsx';

const REFRESH_MS = 3000;
const SOON_MS = 500;
/** A new event usually exists after a fraction of a second. */
const LATE_MS = 10_000;

interface EventDrawerProps {
  /** null: closed. */
  readonly eventId: string | null;
  readonly onClose: () => void;
  /** Opens the event that replaces the open one. */
  readonly onMoved: (eventId: string) => void;
}

/** An event that an edit makes, and the delivery of the edit. */
interface Moved {
  readonly eventId: string;
  readonly deliveryId: string;
}

export function EventDrawer({ eventId, onClose, onMoved }: EventDrawerProps) {
  const [moved, setMoved] = useState<Moved | null>(null);
  const move = (id: string, deliveryId: string) => {
    setMoved({ eventId: id, deliveryId });
    onMoved(id);
  };
  return (
    <Drawer opened={eventId !== null} onClose={onClose} title="Event" size="40rem" returnFocus={false}>
      {eventId !== null && (
        <Content
          key={eventId}
          eventId={eventId}
          madeBy={eventId === moved?.eventId ? moved.deliveryId : null}
          onMoved={move}
        />
      )}
    </Drawer>
  );
}

interface ContentProps {
  readonly eventId: string;
  /** The delivery that makes it. It exists once its action is applied. */
  readonly madeBy: string | null;
  readonly onMoved: (eventId: string, deliveryId: string) => void;
}

function Content({ eventId, madeBy, onMoved }: ContentProps) {
  const [isLate, setLate] = useState(false);
  const isNew = madeBy !== null;
  const detail = useRead(
    ROUTES.events.show,
    { params: { eventId } },
    { everyMs: isNew && !isLate ? SOON_MS : REFRESH_MS, awaited: isNew },
  );
  const isAwaited = isNew && detail.data === undefined;
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [isAwaited]);
  if (isAwaited && (detail.error === null || isMissing(detail.error)))
    return isLate ? <NotApplied deliveryId={madeBy} /> : <RowsSkeleton rows={6} />;
  return <Loaded query={detail}>{(data) => <EventDetails detail={data} onMoved={onMoved} />}</Loaded>;
}

/** The worker is behind, or the action of the edit is a dead letter. */
function NotApplied({ deliveryId }: { readonly deliveryId: string }) {
  return (
    <div role="status">
      <Note tone="warn">
        Your change was accepted, but it is not applied yet. The event appears here once it is. Its delivery
        shows what happened: <NewDeliveryLink deliveryId={deliveryId} />
      </Note>
    </div>
  );
}
