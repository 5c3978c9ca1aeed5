import { Button } from '@mantine/core';
import { countOf, type ImportTable } from '@sluice/importing/import-table';
import { Link } from 'react-router';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { BadRowList } from './bad-row-list.tsx';
import { refusedCellsOf } from './bad-rows.ts';
import classes from './import.module.css';
import type { ImportJob, ImportProgress } from './send-rows.ts';

interface ImportResultProps {
  readonly table: ImportTable;
  readonly job: ImportJob;
  readonly progress: ImportProgress;
  readonly finished: boolean;
  readonly error: unknown;
  readonly onContinue: () => void;
  readonly onAgain: () => void;
}

/** Shows the progress of the import, and then its result. */
export function ImportResult(props: ImportResultProps) {
  const { table, job, progress, finished, error, onContinue, onAgain } = props;
  const total = job.batches.reduce((sum, batch) => sum + batch.length, 0);
  const done = progress.accepted + progress.refused.length;
  return (
    <Card title={finished ? 'Imported' : 'Importing'}>
      <div className={classes.stack}>
        <progress className={classes.progress} value={done} max={total} aria-label="Rows imported" />
        <p className="number" role="status">
          {finished ? 'Accepted' : 'So far'} {progress.accepted.toLocaleString('en')} of{' '}
          {countOf(table, total)}.{finished && ' They appear under Events in a moment.'}
        </p>
        {error !== null && <ErrorNote error={error} onRetry={onContinue} />}
        {progress.refused.length > 0 && (
          <>
            <Note tone="warn">{countOf(table, progress.refused.length)} rejected.</Note>
            <BadRowList file={table} bad={refusedCellsOf(progress, table)} />
          </>
        )}
        {finished && (
          <div className={classes.buttons}>
            <Button component={Link} to={`/events?when=all&origin=${table.format}`}>
              Show imported events
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
