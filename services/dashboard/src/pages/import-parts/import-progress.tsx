import { Button } from '@mantine/core';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import type { ReactNode } from 'react';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { BadRowList } from './bad-row-list.tsx';
import type { BadCell } from './bad-rows.ts';
import classes from './import.module.css';

interface ImportProgressProps {
  readonly table: ImportTable;
  readonly done: number;
  readonly total: number;
  readonly finished: boolean;
  /** The counts so far, in words. */
  readonly words: ReactNode;
  /** The rows that the server rejected. */
  readonly refused: readonly BadCell[];
  readonly error: unknown;
  /** A button that leads to what was imported. */
  readonly show: ReactNode;
  readonly onContinue: () => void;
  /** Leads back to the check of the file. */
  readonly onBack: () => void;
  readonly onAgain: () => void;
}

/** Shows the progress of an import, and then its result. */
export function ImportProgress(props: ImportProgressProps) {
  const { table, done, total, finished, words, refused, error, show, onContinue, onBack, onAgain } = props;
  return (
    <Card title={finished ? 'Imported' : 'Importing'}>
      <div className={classes.stack}>
        <progress className={classes.progress} value={done} max={total} aria-label="Rows imported" />
        <p className="number" role="status">
          {words}
        </p>
        {error !== null && (
          <>
            <ErrorNote error={error} onRetry={onContinue} />
            <Button className={classes.start} variant="default" onClick={onBack}>
              Back to the check
            </Button>
          </>
        )}
        {refused.length > 0 && (
          <>
            <Note tone="warn">{countOf(table, refused.length)} rejected.</Note>
            <BadRowList file={table} bad={refused} />
          </>
        )}
        {finished && (
          <div className={classes.buttons}>
            {show}
            <Button variant="default" onClick={onAgain}>
              Import another file
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
