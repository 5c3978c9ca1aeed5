import { countOf, type ImportTable } from '@sluice/importing/import-table';
import { Note } from '../../ui/note.tsx';
import type { RowNote } from './use-import.ts';

const SHOWN = 20;

interface RowNotesProps {
  readonly table: ImportTable;
  readonly notes: readonly RowNote[];
}

/** Lists what was read differently from how the file has it, or left out. */
export function RowNotes({ table, notes }: RowNotesProps) {
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
