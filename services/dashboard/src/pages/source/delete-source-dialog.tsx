import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceDeletion, SourceWithActivity } from '@sluice/dashboard-api/sources';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';

type What = 'keep' | 'delete';

interface DeleteSourceDialogProps {
  readonly source: SourceWithActivity;
  readonly onClose: () => void;
}

/** The user chooses what becomes of the events, and types the name. */
export function DeleteSourceDialog({ source, onClose }: DeleteSourceDialogProps) {
  const params = { sourceId: source.source_id };
  const effect = useRead(ROUTES.sources.deletion, { params });
  const remove = useWrite(ROUTES.sources.delete, [ROUTES.sources.list, ROUTES.events.list]);
  const [events, setEvents] = useState<What>('keep');
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const toast = useToast();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      toast(`Deleted “${source.name}”.`);
      void navigate('/events/webhook');
    };
    remove.mutate({ params, body: { events } }, { onSuccess });
  };
  return (
    <Modal opened onClose={onClose} title={`Delete “${source.name}”?`} size="md">
      <form className={dialog.body} onSubmit={onSubmit}>
        <Effect source={source} />
        <NativeSelect
          label={`What becomes of ${eventsInWords(effect.data)}`}
          description={EVENT_EFFECTS[events]}
          data={[
            { value: 'keep', label: 'Keep the events' },
            { value: 'delete', label: 'Delete the events' },
          ]}
          value={events}
          onChange={(event) => setEvents(event.currentTarget.value as What)}
        />
        <TextInput
          label="Type the name of the source to confirm"
          placeholder={source.name}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {remove.error !== null && <ErrorNote error={remove.error} />}
        <div className={dialog.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            type="submit"
            color="danger"
            loading={remove.isPending}
            disabled={typed.trim() !== source.name}
          >
            Delete source
          </Button>
        </div>
      </form>
    </Modal>
  );
}

const EVENT_EFFECTS: Readonly<Record<What, string>> = {
  keep: 'They stay in the list, marked as events of a deleted source. You can still edit, cancel and delete them.',
  delete: 'They are deleted within minutes, and cannot be restored. Webhook subscriptions get a message about each.',
};

function Effect({
  source: { accepted_24h: accepted, last_delivery_at: last },
}: {
  source: SourceWithActivity;
}) {
  return (
    <div className={dialog.effect}>
      <p>
        The next request to its URL gets <strong>404 Source not found</strong>, and its signing secret stops
        working. A deleted source cannot be restored.
      </p>
      <p>
        Requests that were accepted before are still applied. Its deliveries stay in the log until they
        expire.
      </p>
      {last !== null && (
        <p className="dimmed">
          {accepted === 1 ? '1 request was' : `${accepted.toLocaleString('en')} requests were`} accepted in
          the last 24 hours. The last delivery arrived <Ago at={last} />.
        </p>
      )}
    </div>
  );
}

function eventsInWords(effect: SourceDeletion | undefined): string {
  if (effect === undefined) return 'its events';
  const { count, more } = effect.events;
  if (count === 1) return 'its 1 event';
  return `its ${count.toLocaleString('en')}${more ? ' or more' : ''} events`;
}
