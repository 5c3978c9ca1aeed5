import type { LeadImportItem, LeadUndo } from '@sluice/dashboard-api/lead-imports';
import { LEAD_MATCHES } from '@sluice/dashboard-api/lead-names';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { ImportTable } from '@sluice/import/read/import-table';
import { freeColumns, isComplete, LEAD_FIELDS, usedParts } from '@sluice/import/read/lead-mapping';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { messageOf } from '../../api/api-error.ts';
import { useRead, useReload } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Checkbox } from '../../ui/checkbox.ts';
import { Page } from '../../ui/page.tsx';
import { AdminsOnly, Note } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { counted, number } from '../../ui/words.ts';
import { fieldWord } from '../leads/lead-words.ts';
import { badCellsOf } from './bad-rows.ts';
import { ColumnSelects, FileField } from './file-and-columns.tsx';
import { ImportSteps, Preview, RowNotes } from './import-steps.tsx';
import { LastImport, UndoDialog } from './last-import.tsx';
import { allPortions, LEADS_STALE, useLeadImport } from './use-lead-import.ts';

export function LeadImportPage() {
  return (
    <Page
      title="Import leads"
      crumbs={[{ label: 'Customers' }, { label: 'Leads', to: '/leads' }]}
      lead="Import leads from a CSV file, such as an export of another system. You see the effect before anything changes, and you can undo it."
    >
      {useMay('admin') ? <LeadImportForm /> : <AdminsOnly icon="lead" what="import" />}
    </Page>
  );
}

type LeadImport = ReturnType<typeof useLeadImport>;

/** Imports leads from a file. */
function LeadImportForm() {
  const one = useLeadImport();
  return (
    <ImportSteps
      steps={one}
      choose={<FileField csvOnly onFile={(file) => void one.choose(file)} />}
      map={(table) => <LeadColumns one={one} table={table} />}
      isMapped={isComplete(one.mapping)}
      onCheck={() => void one.check()}
      preview={(table, rows) => <LeadPreview one={one} table={table} rows={rows} />}
      words={({ created = 0, updated = 0, unchanged = 0 }, total, finished) =>
        `${finished ? '' : 'So far '}${number(created)} created, ${number(updated)} updated, ${number(unchanged)} without a change, of ${total}.`
      }
      show={{ to: '/leads?sort=-updated_at', label: 'Show leads' }}
      lastImport={<LastLeadImport onUndone={one.leaveResult} />}
    />
  );
}

interface LeadColumnsProps {
  readonly one: LeadImport;
  readonly table: ImportTable;
}

/** Maps columns to fields of a lead, and chooses the columns that become custom fields, and how a row finds a lead that exists. */
function LeadColumns({ one: { mapping, matchOn, remap, rematch, stage }, table }: LeadColumnsProps) {
  const disabled = stage.name === 'checking';
  const free = freeColumns(table.columns, mapping);
  const parts = usedParts(mapping).map((index) => table.columns[index]);
  return (
    <>
      <ColumnSelects
        table={table}
        fields={LEAD_FIELDS}
        mapping={mapping.fields}
        disabled={disabled}
        onChange={(fields) => remap({ ...mapping, fields })}
      />
      {parts.length > 0 && <p className="dimmed small">The name is read from {parts.join(' and ')}.</p>}
      {free.length > 0 && (
        <Checkbox.Group
          label="Custom fields"
          description="Other columns to import, under their names."
          value={mapping.custom.map(String)}
          onChange={(columns) => remap({ ...mapping, custom: columns.map(Number) })}
        >
          <div className="row">
            {free.map(({ index, name }) => (
              <Checkbox key={index} value={String(index)} label={name} disabled={disabled} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <p className="dimmed small">
        A stage is written by its name or its id. Tags are separated by commas. Empty cells change nothing.
      </p>
      <Checkbox.Group
        label="Update existing leads with the same"
        description="Without a match, a row creates a new lead."
        value={[...matchOn]}
        onChange={(chosen) => rematch(LEAD_MATCHES.filter((field) => chosen.includes(field)))}
      >
        <div className="row">
          {LEAD_MATCHES.map((field) => (
            <Checkbox
              key={field}
              value={field}
              label={fieldWord(field)}
              disabled={disabled || mapping.fields[field] === undefined}
            />
          ))}
        </div>
      </Checkbox.Group>
      {!isComplete(mapping) && (
        <Note tone="info">Choose a column for the name, the email, the phone or the external ID.</Note>
      )}
    </>
  );
}

interface LeadPreviewProps extends LeadColumnsProps {
  readonly rows: Parameters<LeadImport['start']>[0];
}

function LeadPreview({ one, table, rows }: LeadPreviewProps) {
  const count = (verdict: (typeof rows)[number]['verdict']) =>
    rows.filter((row) => row.verdict === verdict).length;
  const [fresh, updates] = [count('new'), count('update')];
  return (
    <Preview
      table={table}
      counts={[
        [fresh, 'new'],
        [updates, 'update'],
        [count('same'), 'without a change'],
        [count('bad'), 'bad'],
      ]}
      bad={badCellsOf(rows, table, { fields: LEAD_FIELDS, mapping: one.mapping.fields })}
      good={fresh + updates}
      onImport={() => void one.start(rows)}
    >
      {updates > 0 && (
        <Note tone="info">
          An update changes only fields that have a value in the file. Tags are replaced.
        </Note>
      )}
      <RowNotes table={table} rows={rows.filter((row) => row.verdict !== 'bad')} />
    </Preview>
  );
}

function LastLeadImport({ onUndone }: Pick<UndoLeadsDialogProps, 'onUndone'>) {
  const item = useRead(ROUTES.leads.lastImport, {}).data?.import ?? null;
  if (item === null) return null;
  return (
    <LastImport
      item={item}
      what={`, ${counted(item.leads, 'lead')}`}
      undoDialog={(onClose) => <UndoLeadsDialog item={item} onUndone={onUndone} onClose={onClose} />}
    />
  );
}

const UNDO_WORDS = {
  count: (count: number) => counted(count, 'lead'),
  gone: 'erased',
  restored: 'previous values back.',
  untouched: 'already undone, erased or not changed by the import.',
} as const;

interface UndoLeadsDialogProps {
  readonly item: LeadImportItem;
  /** The result of this import says no longer what is. */
  readonly onUndone: () => void;
  readonly onClose: () => void;
}

/** Undoes portion by portion, with the progress. Closing the dialog stops the run. */
function UndoLeadsDialog({ item: { import_id, file_name }, onUndone, onClose }: UndoLeadsDialogProps) {
  const reload = useReload(LEADS_STALE);
  const toast = useToast();
  const [progress, setProgress] = useState<LeadUndo | null>(null);
  const effect = useQuery({
    queryKey: [ROUTES.leads.checkUndo.path, import_id],
    queryFn: ({ signal }) =>
      allPortions((from) => callApi(ROUTES.leads.checkUndo, { body: { import_id, from } }, signal), signal),
    // The effect may have changed since the dialog was last open.
    gcTime: 0,
  });
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
      const done = `${number(erased)} removed, ${number(restored)} restored.`;
      if (signal.aborted) return toast(`Stopped: ${done} The rest is unchanged.`);
      toast(`Undone: ${done}`);
      onUndone();
      onClose();
    },
    onSettled: reload,
    onError: (error, signal) => {
      if (signal.aborted)
        toast(`The undo has stopped: ${messageOf(error)}`, { icon: 'warning', stays: true });
      else void effect.refetch();
    },
  });
  return (
    <UndoDialog
      fileName={file_name}
      effect={effect}
      effectOf={({ erased, left_leads, ...rest }) => ({ ...rest, gone: erased, names: left_leads })}
      words={UNDO_WORDS}
      undo={undo}
      stops
      onUndo={() => undo.mutate(stopped.current.signal)}
      onClose={onClose}
    >
      {undo.isPending && progress !== null && (
        <p role="status" className="number">
          {counted(progress.erased + progress.restored, 'lead')} done.
        </p>
      )}
    </UndoDialog>
  );
}
