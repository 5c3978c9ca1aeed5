import type { CheckedRow } from '@sluice/dashboard-api/imports';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import { FIELDS, type Mapping } from '@sluice/import/read/mapping';
import type { PlannedRow } from '@sluice/import/read/plan-rows';
import { Note } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { badCellsOf } from './bad-rows.ts';
import { Preview, RowNotes } from './import-steps.tsx';

interface EventPreviewProps {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  readonly rows: readonly PlannedRow[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
  /** The zone of times that name none. */
  readonly zone: string;
  readonly onImport: () => void;
}

/** Shows what an import of events would do. */
export function EventPreview({
  table: file,
  mapping,
  rows: planned,
  notes,
  zone,
  onImport,
}: EventPreviewProps) {
  const rows = planned.map(({ checked }) => checked);
  const count = (verdict: CheckedRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const [fresh, updates, bad] = [count('new'), count('update'), count('bad')];
  const [cancels, nothing, unchanged] = [count('cancel'), count('nothing'), count('unchanged')];
  const rare = [[unchanged, 'unchanged'] as const, [cancels, 'cancel'] as const].filter(([rows]) => rows > 0);
  return (
    <Preview
      table={file}
      counts={[[fresh, 'new'], [updates, 'update'], ...rare, [bad, 'bad']]}
      bad={badCellsOf(rows, file, { fields: FIELDS, mapping })}
      good={fresh + updates + cancels + unchanged}
      onImport={onImport}
    >
      {updates > 0 && (
        <Note tone="info">
          An update replaces the whole event. Fields that are empty in the file are cleared.
        </Note>
      )}
      {nothing > 0 && (
        <Note tone="quiet">
          {countOf(file, nothing)} cancelled in the file, but not found here. Nothing to cancel.
        </Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="warn">
          {note}
        </Note>
      ))}
      <RowNotes table={file} rows={planned.map(({ row: { row }, notes }) => ({ row, notes }))} />
      <FirstEvents rows={planned} zone={zone} />
    </Preview>
  );
}

const EVENTS_SHOWN = 5;

/** Shows when the first events start and end, in the zones of the file and of this browser and in UTC, so that wrong hours are seen in time. */
function FirstEvents({ rows, zone }: Pick<EventPreviewProps, 'rows' | 'zone'>) {
  const events = rows
    .filter(({ row: { event }, checked }) => checked.verdict !== 'bad' && isTime(event.starts_at))
    .slice(0, EVENTS_SHOWN);
  if (events.length === 0) return null;
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Table
      items={events}
      keyOf={({ row: { row, action, event } }) => `${row} ${action} ${event.starts_at}`}
      caption="The first events. Compare the hours with your file."
      columns={[
        { head: 'Title', cell: ({ row }: PlannedRow) => row.event.title },
        ...[...new Set([zone, here, 'UTC'])].map((one) => ({
          head: `Time in ${one}`,
          cell: ({ row }: PlannedRow) => spanIn(row.event, one),
        })),
      ]}
    />
  );
}

function isTime(text: string | undefined): text is string {
  return !Number.isNaN(Date.parse(text ?? ''));
}

function spanIn({ starts_at, ends_at }: PlannedRow['row']['event'], timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const start = new Date(starts_at ?? '');
  return isTime(ends_at) ? format.formatRange(start, new Date(ends_at)) : format.format(start);
}
