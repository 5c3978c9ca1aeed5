import type { ImportItem, ImportUndone, UndoEffect } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { localTime } from '../../ui/time.ts';
import { useToast } from '../../ui/toaster.tsx';
import classes from '../import-parts/import.module.css';

interface UndoDialogProps {
  readonly item: ImportItem;
  readonly onClose: () => void;
}

/** Shows the effect of an undo before it runs. */
export function UndoDialog({ item, onClose }: UndoDialogProps) {
  const body = { source_id: item.source_id, import_id: item.import_id };
  const effect = useQuery({
    queryKey: [ROUTES.events.checkUndo.path, body],
    queryFn: ({ signal }) => callApi(ROUTES.events.checkUndo, { body }, signal),
    // The effect may have changed since the dialog was last open.
    gcTime: 0,
  });
  const undo = useWrite(ROUTES.events.undoImport, [ROUTES.events.lastImport, ROUTES.events.list]);
  const toast = useToast();
  const isOff = effect.data !== undefined && effect.data.deleted + effect.data.restored === 0;
  const onConfirm = () =>
    undo.mutate(
      { body },
      {
        onSuccess: (undone) => {
          toast(
            <>
              {inWords(undone)} <Link to="/events">Show events</Link>
            </>,
            { stays: true },
          );
          onClose();
        },
        onError: () => void effect.refetch(),
      },
    );
  return (
    <ConfirmDialog
      opened
      title={`Undo the import of “${item.file_name}”?`}
      confirm={isOff ? 'Close' : 'Undo import'}
      danger={!isOff}
      ready={effect.data !== undefined}
      stays={undo.isPending}
      pending={undo.isPending || (effect.data === undefined && effect.error === null)}
      error={undo.error}
      onConfirm={isOff ? onClose : onConfirm}
      onClose={onClose}
    >
      <Loaded query={effect}>{(data) => <Effect {...data} />}</Loaded>
    </ConfirmDialog>
  );
}

function Effect({ deleted, restored, left, left_events, untouched }: UndoEffect) {
  return (
    <>
      {deleted + restored === 0 && <p>There is nothing to undo.</p>}
      {deleted > 0 && (
        <p>
          <strong>{events(deleted)}</strong> created by the import {deleted === 1 ? 'is' : 'are'} deleted.
        </p>
      )}
      {restored > 0 && (
        <p>
          <strong>{events(restored)}</strong> changed by the import{' '}
          {restored === 1 ? 'gets its' : 'get their'} previous content back. This counts towards the plan,
          like an upsert.
        </p>
      )}
      {untouched > 0 && (
        <p className="dimmed">
          {events(untouched)} not changed by the import: still queued, not found for a cancel, or already
          undone.
        </p>
      )}
      {left > 0 && (
        <>
          <p>
            <strong>{events(left)}</strong> {left === 1 ? 'has' : 'have'} changed since the import and{' '}
            {left === 1 ? 'is' : 'are'} skipped:
          </p>
          <ul className={classes.left}>
            {left_events.map(({ event_id, title, starts_at }) => (
              <li key={event_id}>
                {title} <span className="dimmed nowrap">{localTime(starts_at)}</span>
              </li>
            ))}
            {left > left_events.length && <li>and {events(left - left_events.length)} more</li>}
          </ul>
        </>
      )}
    </>
  );
}

function events(count: number): string {
  return `${count.toLocaleString('en')} event${count === 1 ? '' : 's'}`;
}

function inWords({ deleted, restored, refused }: ImportUndone): string {
  const over =
    refused === 0 ? '' : `, ${refused.toLocaleString('en')} skipped because the plan limit is reached`;
  return `Undone: ${deleted.toLocaleString('en')} deleted, ${restored.toLocaleString('en')} restored${over}. The list updates in a moment.`;
}
