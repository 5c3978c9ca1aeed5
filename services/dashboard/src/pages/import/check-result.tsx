import { Button } from '@mantine/core';
import type { CheckedRow } from '@sluice/dashboard-api/imports';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import { FIELDS, type Mapping } from '@sluice/import/read/mapping';
import type { PlannedRow } from '@sluice/import/read/plan-rows';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { badCellsOf } from '../import-parts/bad-cells.ts';
import { BadRowList } from '../import-parts/bad-row-list.tsx';
import classes from '../import-parts/import.module.css';
import { FirstEvents } from './first-events.tsx';
import { RowNotes } from './row-notes.tsx';

interface CheckResultProps {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  readonly rows: readonly PlannedRow[];
  readonly onImport: () => void;
}

/** Shows what an import would do. */
export function CheckResult({ table, mapping, rows: planned, onImport }: CheckResultProps) {
  const rows = planned.map(({ checked }) => checked);
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
        <RowNotes table={table} rows={planned} />
        <FirstEvents rows={planned} />
        {bad > 0 && <BadRowList file={table} bad={badCellsOf(rows, table, { fields: FIELDS, mapping })} />}
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
