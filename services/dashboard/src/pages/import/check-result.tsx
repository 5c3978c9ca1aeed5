import { Button } from '@mantine/core';
import type { CheckedRow } from '@sluice/contract/dashboard/imports';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { BadRowList } from './bad-row-list.tsx';
import { badCellsOf } from './bad-rows.ts';
import classes from './import.module.css';
import type { Mapping } from './mapping.ts';
import type { CsvTable } from './read-csv.ts';

interface CheckResultProps {
  readonly table: CsvTable;
  readonly mapping: Mapping;
  readonly rows: readonly CheckedRow[];
  readonly onImport: () => void;
}

/** What an import would do. */
export function CheckResult({ table, mapping, rows, onImport }: CheckResultProps) {
  const count = (verdict: CheckedRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const [fresh, updates, bad] = [count('new'), count('update'), count('bad')];
  const good = fresh + updates;
  return (
    <Card title="What it would do">
      <div className={classes.stack}>
        <p role="status">
          <strong>{fresh.toLocaleString('en')}</strong> new, <strong>{updates.toLocaleString('en')}</strong>{' '}
          update, <strong>{bad.toLocaleString('en')}</strong> bad. Nothing has been changed yet.
        </p>
        {updates > 0 && (
          <Note tone="info">
            An update replaces the whole event: a field that the file leaves empty is cleared.
          </Note>
        )}
        {bad > 0 && <BadRowList file={table} bad={badCellsOf(rows, table, mapping)} />}
        {good > 0 && (
          <Button className={classes.start} onClick={onImport}>
            Import {good.toLocaleString('en')} {good === 1 ? 'row' : 'rows'}
          </Button>
        )}
      </div>
    </Card>
  );
}
