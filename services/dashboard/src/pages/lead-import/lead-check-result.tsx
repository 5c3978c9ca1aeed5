import { Button } from '@mantine/core';
import type { CheckedLeadRow } from '@sluice/dashboard-api/lead-imports';
import { countOf, type ImportTable } from '@sluice/importing/import-table';
import { LEAD_FIELDS, type LeadMapping } from '@sluice/importing/lead-mapping';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { BadRowList } from '../import-parts/bad-row-list.tsx';
import type { BadCell } from '../import-parts/bad-rows.ts';
import classes from '../import-parts/import.module.css';

interface LeadCheckResultProps {
  readonly table: ImportTable;
  readonly mapping: LeadMapping;
  readonly rows: readonly CheckedLeadRow[];
  readonly onImport: () => void;
}

/** Shows what an import would do. */
export function LeadCheckResult({ table, mapping, rows, onImport }: LeadCheckResultProps) {
  const count = (verdict: CheckedLeadRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const [fresh, updates, same, bad] = [count('new'), count('update'), count('same'), count('bad')];
  const good = fresh + updates;
  return (
    <Card title="Preview">
      <div className={classes.stack}>
        <p role="status">
          <strong>{fresh.toLocaleString('en')}</strong> new, <strong>{updates.toLocaleString('en')}</strong>{' '}
          update, <strong>{same.toLocaleString('en')}</strong> without a change,{' '}
          <strong>{bad.toLocaleString('en')}</strong> bad. Nothing has been changed yet.
        </p>
        {updates > 0 && (
          <Note tone="info">
            An update changes only fields that have a value in the file. Tags are replaced.
          </Note>
        )}
        {bad > 0 && <BadRowList file={table} bad={badCells(rows, table, mapping)} />}
        {good > 0 && (
          <Button className={classes.start} onClick={onImport}>
            Import {countOf(table, good)}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Converts the errors of the check, with the column names of the file. */
function badCells(
  rows: readonly CheckedLeadRow[],
  { columns }: ImportTable,
  { fields }: LeadMapping,
): BadCell[] {
  const columnOf = (name: string | null): string => {
    const field = LEAD_FIELDS.find((one) => one.name === name);
    const column = field === undefined ? undefined : fields[field.name];
    return (column === undefined ? (field?.label ?? name) : columns[column]) ?? '';
  };
  return rows.flatMap((one) =>
    one.verdict === 'bad'
      ? one.errors.map(({ field, detail }) => ({ row: one.row, column: columnOf(field), why: detail }))
      : [],
  );
}
