import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { useNavigate } from 'react-router';
import { useRead, useReload, useWrite } from '../../api/queries.ts';
import { useToast } from '../../ui/toaster.tsx';
import { forgetUnsaved } from '../../ui/unsaved.ts';
import { DeleteDialog } from './delete-dialog.tsx';

interface DeleteSourceDialogProps {
  readonly source: SourceWithActivity;
  readonly onClose: () => void;
}

export function DeleteSourceDialog({ source, onClose }: DeleteSourceDialogProps) {
  const params = { sourceId: source.source_id };
  const effect = useRead(ROUTES.sources.deletion, { params });
  const remove = useWrite(ROUTES.sources.delete);
  const reload = useReload([ROUTES.sources.list, ROUTES.events.list]);
  const navigate = useNavigate();
  const toast = useToast();
  const onSuccess = () => {
    toast(`Deleted “${source.name}”.`);
    forgetUnsaved();
    // The page goes first: it polls, and would report that what it shows is gone.
    void navigate('/events/webhook');
    void reload();
  };
  return (
    <DeleteDialog
      noun="source"
      contents="event"
      of={source}
      count={effect.data?.events}
      effects={EFFECTS}
      now="its signing secret stops working"
      remove={remove}
      onDelete={(events) => remove.mutate({ params, body: { events } }, { onSuccess })}
      onClose={onClose}
    />
  );
}

const EFFECTS = {
  keep: 'They stay in the list, marked as events of a deleted source. You can still edit, cancel and delete them.',
  delete:
    'They are deleted within minutes, and cannot be restored. Webhook subscriptions get a message for each.',
};
