import { Button } from '@mantine/core';
import type { CheckedLeadRow } from '@sluice/dashboard-api/lead-imports';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import { LEAD_FIELDS, type LeadMapping } from '@sluice/import/read/lead-mapping';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { badCellsOf } from '../import-parts/bad-cells.ts';
import { BadRowList } from '../import-parts/bad-row-list.tsx';
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
        {bad > 0 && (
          <BadRowList
            file={table}
            bad={badCellsOf(rows, table, { fields: LEAD_FIELDS, mapping: mapping.fields })}
          />
        )}
        {good > 0 && (
          <Button className={classes.start} onClick={onImport}>
            Import {countOf(table, good)}
          </Button>
        )}
      </div>
    </Card>
  );
}
