import { Button } from '@mantine/core';
import type { CheckedRow } from '@sluice/dashboard-api/imports';
import { countOf, type ImportTable } from '@sluice/importing/import-table';
import type { Mapping } from '@sluice/importing/mapping';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { BadRowList } from './bad-row-list.tsx';
import { badCellsOf } from './bad-rows.ts';
import { type FirstEvent, FirstEvents } from './first-events.tsx';
import classes from './import.module.css';
import { RowNotes } from './row-notes.tsx';
import type { RowNote } from './use-import.ts';

interface CheckResultProps {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  readonly rows: readonly CheckedRow[];
  readonly notes: readonly RowNote[];
  /** The first rows, so that wrong hours are seen before they are stored. */
  readonly first: readonly FirstEvent[];
  readonly onImport: () => void;
}

/** Shows what an import would do. */
export function CheckResult({ table, mapping, rows, notes, first, onImport }: CheckResultProps) {
  const count = (verdict: CheckedRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const [fresh, updates, bad] = [count('new'), count('update'), count('bad')];
  const [cancels, nothing, unchanged] = [count('cancel'), count('nothing'), count('unchanged')];
  const good = fresh + updates + cancels + unchanged;
  return (
    <Card title="Preview">
      <div className={classes.stack}>
        <p role="status">
          <strong>{fresh.toLocaleString('en')}</strong> new, <strong>{updates.toLocaleString('en')}</strong>{' '}
          update, {unchanged > 0 && <Count count={unchanged} of="unchanged" />}
          {cancels > 0 && <Count count={cancels} of="cancel" />}
          <strong>{bad.toLocaleString('en')}</strong> bad. Nothing has been changed yet.
        </p>
        {updates > 0 && (
          <Note tone="info">
            An update replaces the whole event. Fields that are empty in the file are cleared.
          </Note>
        )}
        {nothing > 0 && (
          <Note tone="quiet">
            {countOf(table, nothing)} cancelled in the file, but not found here. Nothing to cancel.
          </Note>
        )}
        <RowNotes table={table} notes={notes} />
        <FirstEvents events={first} />
        {bad > 0 && <BadRowList file={table} bad={badCellsOf(rows, table, mapping)} />}
        {good > 0 && (
          <Button className={classes.start} onClick={onImport}>
            Import {countOf(table, good)}
          </Button>
        )}
      </div>
    </Card>
  );
}

function Count({ count, of }: { readonly count: number; readonly of: string }) {
  return (
    <>
      <strong>{count.toLocaleString('en')}</strong> {of},{' '}
    </>
  );
}
