import { Button } from '@mantine/core';
import type { EventItem } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import dialog from '../../ui/dialog.module.css';
import { Modal } from '../../ui/modal.tsx';
import { Note } from '../../ui/note.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { forgetInDialogs } from '../../ui/unsaved.ts';
import { draftOf, isMoved, isSame, rebased } from './event-draft.ts';
import { EventFields } from './event-fields.tsx';

interface EditEventDialogProps {
  readonly event: EventItem;
  readonly onClose: () => void;
  /** Is given the id of the event, which is new if its identity was changed, and that of the delivery. */
  readonly onEdited: (eventId: string, deliveryId: string) => void;
}

/** Changes the fields of an event, by the rules of an upsert. */
export function EditEventDialog({ event: current, onClose, onEdited }: EditEventDialogProps) {
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
  const onSubmit = (submit: FormEvent) => {
    submit.preventDefault();
    if (isSame(event, draft)) return toast('No changes to save.');
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
  };
  return (
    <Modal opened onClose={onClose} unsaved={!isSame(event, draft)} title={`Edit “${event.title}”`} size="lg">
      <form className={dialog.body} onSubmit={onSubmit}>
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
        {edit.error !== null && !isOfField(edit.error) && <ErrorNote error={edit.error} />}
        {isBehind && isConflict(edit.error) && (
          <div className={dialog.row}>
            <Button variant="default" onClick={onRebase}>
              Reload it and keep my changes
            </Button>
          </div>
        )}
        <div className={dialog.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={edit.isPending}>
            Save changes
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function isOfField(error: Error): boolean {
  return error instanceof ApiError && error.errors.some(({ pointer }) => pointer.startsWith('/event/'));
}

function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409;
}
