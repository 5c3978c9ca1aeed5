import type { LeadImportItem, LeadUndo } from '@sluice/dashboard-api/lead-imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { messageOf } from '../../api/api-error.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import classes from '../import-parts/import.module.css';
import { leadsWords } from '../pipeline/leads-words.ts';
import { allPortions } from './undo-portions.ts';

interface UndoLeadsDialogProps {
  readonly item: LeadImportItem;
  readonly onClose: () => void;
}

/** Shows the effect of an undo before it runs, then its progress. */
export function UndoLeadsDialog({ item: { import_id, file_name }, onClose }: UndoLeadsDialogProps) {
  const client = useQueryClient();
  const toast = useToast();
  const [progress, setProgress] = useState<LeadUndo | null>(null);
  const effect = useQuery({
    queryKey: [ROUTES.leads.checkUndo.path, import_id],
    queryFn: ({ signal }) =>
      allPortions((from) => callApi(ROUTES.leads.checkUndo, { body: { import_id, from } }, signal), signal),
    // The effect may have changed since the dialog was last open.
    gcTime: 0,
  });
  // Closing the dialog stops the run.
  const stopped = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stopped.current = controller;
    return () => controller.abort();
  }, []);
  const undo = useMutation({
    // The run keeps the signal of its dialog, which may be opened again before the run has stopped.
    mutationFn: (signal: AbortSignal) =>
      allPortions(
        (from) => callApi(ROUTES.leads.undoImport, { body: { import_id, from } }),
        signal,
        setProgress,
      ),
    onSuccess: ({ erased, restored }, signal) => {
      const done = `${erased.toLocaleString('en')} removed, ${restored.toLocaleString('en')} restored.`;
      if (signal.aborted) return toast(`Stopped: ${done} The rest is unchanged.`);
      toast(`Undone: ${done}`);
      onClose();
    },
    onSettled: () =>
      Promise.all(
        [ROUTES.leads.list, ROUTES.leads.lastImport, ROUTES.pipeline.show].map(({ path }) =>
          client.invalidateQueries({ queryKey: [path] }),
        ),
      ),
    onError: (error, signal) => {
      if (signal.aborted)
        toast(`The undo has stopped: ${messageOf(error)}`, { icon: 'warning', stays: true });
      else void effect.refetch();
    },
  });
  const isOff = effect.data !== undefined && effect.data.erased + effect.data.restored === 0;
  return (
    <ConfirmDialog
      opened
      title={`Undo the import of “${file_name}”?`}
      confirm={isOff ? 'Close' : 'Undo import'}
      danger={!isOff}
      ready={effect.data !== undefined}
      dismiss={undo.isPending ? 'Stop' : 'Cancel'}
      stays={false}
      pending={undo.isPending || (effect.data === undefined && effect.error === null)}
      error={undo.error}
      onConfirm={isOff ? onClose : () => undo.mutate(stopped.current.signal)}
      onClose={onClose}
    >
      <Loaded query={effect}>{(data) => <Effect {...data} />}</Loaded>
      {undo.isPending && progress !== null && (
        <p role="status" className="number">
          {leadsWords(progress.erased + progress.restored)} done.
        </p>
      )}
    </ConfirmDialog>
  );
}

function Effect({ erased, restored, left, left_leads, untouched }: LeadUndo) {
  return (
    <>
      {erased + restored === 0 && <p>There is nothing to undo.</p>}
      {erased > 0 && (
        <p>
          <strong>{leadsWords(erased)}</strong> created by the import {erased === 1 ? 'is' : 'are'} erased.
        </p>
      )}
      {restored > 0 && (
        <p>
          <strong>{leadsWords(restored)}</strong> changed by the import{' '}
          {restored === 1 ? 'gets its' : 'get their'} previous values back.
        </p>
      )}
      {untouched > 0 && (
        <p className="dimmed">{leadsWords(untouched)} already undone, erased or not changed by the import.</p>
      )}
      {left > 0 && (
        <>
          <p>
            <strong>{leadsWords(left)}</strong> {left === 1 ? 'has' : 'have'} changed since the import and{' '}
            {left === 1 ? 'is' : 'are'} skipped:
          </p>
          <ul className={classes.left}>
            {left_leads.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {left > left_leads.length && <li>and {leadsWords(left - left_leads.length)} more</li>}
          </ul>
        </>
      )}
    </>
  );
}
