import { Button } from '@mantine/core';
import type { EventItem } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { useToast } from '../../ui/toaster.tsx';
import drawer from '../drawer/drawer.module.css';

/**
 * Cancels or deletes an event. Both are queued as actions, like those of a webhook, and keep their place in the
 * order.
 */
export function EventActions({ event }: { readonly event: EventItem }) {
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const toast = useToast();
  const refreshes = [ROUTES.events.list, ROUTES.events.show];
  const cancel = useWrite(ROUTES.events.cancel, refreshes);
  const remove = useWrite(ROUTES.events.delete, refreshes);
  const write = asking === 'delete' ? remove : cancel;
  const onConfirm = () =>
    write.mutate(
      { params: { eventId: event.event_id } },
      {
        onSuccess: ({ delivery_id: id }) => {
          toast(
            <>
              Accepted as <NewDeliveryLink deliveryId={id} />. The event updates in a moment.
            </>,
          );
          setAsking(null);
        },
      },
    );
  return (
    <div className={drawer.buttons}>
      {event.status !== 'cancelled' && (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          Cancel event
        </Button>
      )}
      <Button variant="outline" color="danger" onClick={() => setAsking('delete')}>
        Delete event
      </Button>
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'delete' ? `Delete “${event.title}”?` : `Cancel “${event.title}”?`}
        confirm={asking === 'delete' ? 'Delete event' : 'Cancel event'}
        dismiss={asking === 'delete' ? 'Cancel' : 'Keep event'}
        pending={write.isPending}
        error={write.error}
        onConfirm={onConfirm}
        onClose={() => setAsking(null)}
      >
        {asking === 'delete' ? (
          <p>
            This removes the event. A later upsert with the same title, start and location creates it again.
          </p>
        ) : (
          <p>
            The event stays in the list as cancelled. A later upsert from the source can set it to upcoming
            again.
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}
