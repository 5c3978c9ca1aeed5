import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { EventDetail, EventItem } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Note } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { forgetInDialogs } from '../../ui/unsaved.ts';
import { draftOf, isMoved, isSame, rebased } from './event-draft.ts';
import { EventFields } from './event-fields.tsx';

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
    <div className="row">
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
        change={write}
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

/** Says which content a deleted event gets back. */
function RestoresDeleted({ from }: { readonly from: EventDetail['restores_from'] }) {
  if (from === null)
    return <p>No delivery in the log has the content of this event. Send it again, or import it again.</p>;
  return (
    <>
      <p>
        The event gets the content of delivery{' '}
        <Link to={`/deliveries/${from.delivery_id}`}>
          <code>{from.delivery_id}</code>
        </Link>
        , received <Ago at={from.received_at} />. Subscribers are told, as after every change.
      </p>
      {!from.is_latest && (
        <p>
          <strong>The event was changed after that delivery.</strong> The log does not have the body of those
          changes, so they are not restored. Edits in the dashboard and imports store no body.
        </p>
      )}
    </>
  );
}

interface EditEventDialogProps {
  readonly event: EventItem;
  readonly onClose: () => void;
  /** Is given the id of the event, which is new if its identity was changed, and that of the delivery. */
  readonly onEdited: (eventId: string, deliveryId: string) => void;
}

/** Changes the fields of an event, by the rules of an upsert. */
function EditEventDialog({ event: current, onClose, onEdited }: EditEventDialogProps) {
  // The event when the user began to edit. The server compares it with the current one.
  const [event, setEvent] = useState(current);
  const [draft, setDraft] = useState(draftOf(event));
  const toast = useToast();
  const client = useQueryClient();
  const edit = useWrite(ROUTES.events.edit, [ROUTES.events.list, ROUTES.events.show]);
  const isBehind = current.updated_at !== event.updated_at;
  const onRebase = () => {
    setDraft(rebased(event, draft, current));
    setEvent(current);
    edit.reset();
  };
  const isDirty = !isSame(event, draft);
  const onSubmit = () =>
    edit.mutate(
      { params: { eventId: event.event_id }, body: { seen: event.updated_at, event: draft } },
      {
        onSuccess: ({ event_id, delivery_id }) => {
          toast(
            <>
              Accepted as <NewDeliveryLink deliveryId={delivery_id} />. The event updates in a moment.
            </>,
            { stays: true },
          );
          forgetInDialogs();
          onEdited(event_id, delivery_id);
        },
        // If it was changed meanwhile, the present one is needed to go on.
        onError: () => void client.invalidateQueries({ queryKey: [ROUTES.events.show.path] }),
      },
    );
  return (
    <Modal opened onClose={onClose} title={`Edit “${event.title}”`} size="lg">
      <Form
        submit="Save changes"
        change={edit}
        shown={['/event/']}
        isDirty={isDirty}
        onSubmit={onSubmit}
        onCancel={onClose}
      >
        <EventFields draft={draft} error={edit.error} onChange={setDraft} />
        <Note tone="quiet">
          Saving also replaces what the source has sent and no worker has applied yet. If the source sends
          this event again, what it sends replaces your changes. Webhook subscriptions are told, as after
          every change.
        </Note>
        {isMoved(event, draft) && (
          <Note tone="warn">
            Title, start and location identify an event. Saving creates an event and deletes this one. If the
            source sends the old title, start and location again, this event comes back.
          </Note>
        )}
        {isBehind && isConflict(edit.error) && (
          <div className="row">
            <Button variant="default" onClick={onRebase}>
              Reload it and keep my changes
            </Button>
          </div>
        )}
      </Form>
    </Modal>
  );
}

function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409;
}
