import { Button } from '@mantine/core';
import { countOf, type ImportTable } from '@sluice/importing/import-table';
import { Link } from 'react-router';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { BadRowList } from '../import/bad-row-list.tsx';
import classes from '../import/import.module.css';
import type { LeadImportJob, LeadImportProgress } from './send-lead-rows.ts';

interface LeadImportResultProps {
  readonly table: ImportTable;
  readonly job: LeadImportJob;
  readonly progress: LeadImportProgress;
  readonly finished: boolean;
  readonly error: unknown;
  readonly onContinue: () => void;
  readonly onAgain: () => void;
}

/** Shows the progress of the import, and then its result. */
export function LeadImportResult(props: LeadImportResultProps) {
  const { table, job, progress, finished, error, onContinue, onAgain } = props;
  const { created, updated, unchanged, refused } = progress;
  const total = job.batches.reduce((sum, batch) => sum + batch.length, 0);
  return (
    <Card title={finished ? 'Imported' : 'Importing'}>
      <div className={classes.stack}>
        <progress
          className={classes.progress}
          value={created + updated + unchanged + refused.length}
          max={total}
          aria-label="Rows imported"
        />
        <p className="number" role="status">
          {!finished && 'So far '}
          {created.toLocaleString('en')} created, {updated.toLocaleString('en')} updated,{' '}
          {unchanged.toLocaleString('en')} without a change, of {countOf(table, total)}.
        </p>
        {error !== null && <ErrorNote error={error} onRetry={onContinue} />}
        {refused.length > 0 && (
          <>
            <Note tone="warn">{countOf(table, refused.length)} rejected.</Note>
            <BadRowList
              file={table}
              bad={refused.map(({ row, detail }) => ({ row, column: '', why: detail }))}
            />
          </>
        )}
        {finished && (
          <div className={classes.buttons}>
            <Button component={Link} to="/leads?sort=-updated_at">
              Show leads
            </Button>
            <Button variant="default" onClick={onAgain}>
              Import another file
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
