import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { EventDetail } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useToast } from '../../ui/toaster.tsx';
import drawer from '../drawer/drawer.module.css';
import { EditEventDialog } from './edit-event-dialog.tsx';
import { RestoresDeleted } from './restores-deleted.tsx';

type Asked = 'cancel' | 'delete' | 'restore';

const WORDS: Readonly<Record<Asked, { verb: string; dismiss: string; effect: string }>> = {
  cancel: {
    verb: 'Cancel',
    dismiss: 'Keep event',
    effect:
      'The event stays in the list as cancelled. A later upsert from the source can set it to upcoming again.',
  },
  delete: {
    verb: 'Delete',
    dismiss: 'Cancel',
    effect:
      'This removes the event. A later upsert with the same title, start and location creates it again.',
  },
  restore: {
    verb: 'Restore',
    dismiss: 'Cancel',
    effect: 'The event is upcoming again, with its content. Subscribers are told, as after every change.',
  },
};

interface EventActionsProps {
  readonly detail: EventDetail;
  /** Is given the id of the event that replaces this one, and that of the delivery that makes it. */
  readonly onMoved: (eventId: string, deliveryId: string) => void;
}

/**
 * Edits, cancels, deletes or restores an event. All are queued as actions, like those of a webhook, and keep their place in the
 * order.
 */
export function EventActions({ detail, onMoved }: EventActionsProps) {
  const { event } = detail;
  const [isEditing, edit] = useDisclosure(false);
  const [asking, setAsking] = useState<Asked | null>(null);
  const toast = useToast();
  const refreshes = [ROUTES.events.list, ROUTES.events.show];
  const cancel = useWrite(ROUTES.events.cancel, refreshes);
  const remove = useWrite(ROUTES.events.delete, refreshes);
  const restore = useWrite(ROUTES.events.restore, refreshes);
  const write = { cancel, delete: remove, restore }[asking ?? 'cancel'];
  const words = WORDS[asking ?? 'cancel'];
  const isDeleted = event.deleted_at !== null;
  const onConfirm = () =>
    write.mutate(
      { params: { eventId: event.event_id } },
      {
        onSuccess: ({ delivery_id: id }) => {
          toast(
            <>
              Accepted as <NewDeliveryLink deliveryId={id} />. The event updates in a moment.
            </>,
            { stays: true },
          );
          setAsking(null);
        },
      },
    );
  return (
    <div className={drawer.buttons}>
      {!isDeleted && (
        <Button variant="default" leftSection={<Icon name="pencil" size={16} />} onClick={edit.open}>
          Edit event
        </Button>
      )}
      {isEditing && (
        <EditEventDialog
          event={event}
          onClose={edit.close}
          onEdited={(eventId, deliveryId) => {
            edit.close();
            if (eventId !== event.event_id) onMoved(eventId, deliveryId);
          }}
        />
      )}
      {(isDeleted || event.status === 'cancelled') && (
        <Button variant="default" onClick={() => setAsking('restore')}>
          Restore event
        </Button>
      )}
      {!isDeleted && event.status !== 'cancelled' && (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          Cancel event
        </Button>
      )}
      {!isDeleted && (
        <Button variant="outline" color="danger" onClick={() => setAsking('delete')}>
          Delete event
        </Button>
      )}
      <ConfirmDialog
        opened={asking !== null}
        title={`${words.verb} “${event.title}”?`}
        confirm={`${words.verb} event`}
        dismiss={words.dismiss}
        danger={asking !== 'restore'}
        pending={write.isPending}
        error={write.error}
        onConfirm={onConfirm}
        onClose={() => setAsking(null)}
      >
        {asking === 'restore' && isDeleted ? (
          <RestoresDeleted from={detail.restores_from} />
        ) : (
          <p>{words.effect}</p>
        )}
      </ConfirmDialog>
    </div>
  );
}
