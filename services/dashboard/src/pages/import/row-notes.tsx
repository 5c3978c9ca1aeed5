import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import type { PlannedRow } from '@sluice/import/read/plan-rows';
import { Note } from '../../ui/note.tsx';

const SHOWN = 20;

interface RowNotesProps {
  readonly table: ImportTable;
  readonly rows: readonly PlannedRow[];
}

/** Lists what was read differently from how the file has it, or left out. */
export function RowNotes({ table, rows }: RowNotesProps) {
  const notes = rows.flatMap(({ row: { row }, notes: own }) => own.map((text) => ({ row, text })));
  if (notes.length === 0) return null;
  const count = new Set(notes.map(({ row }) => row)).size;
  const name = table.format === 'csv' ? 'Row' : 'Event';
  return (
    <Note tone="warn">
      <details>
        <summary>{countOf(table, count)} will be imported with a change. Look at them.</summary>
        <ul>
          {notes.slice(0, SHOWN).map(({ row, text }) => (
            <li key={`${row} ${text}`}>
              {name} {row}: {text}
            </li>
          ))}
        </ul>
        {notes.length > SHOWN && <p>{(notes.length - SHOWN).toLocaleString('en')} more are not shown.</p>}
      </details>
    </Note>
  );
}
