import { Button } from '@mantine/core';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import type { ReactNode } from 'react';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import classes from './import.module.css';
import type { ImportStage } from './use-import-steps.ts';

/** The data of the result of an import. */
export interface ImportResultProps<Job, Progress> {
  readonly table: ImportTable;
  readonly job: Job;
  readonly progress: Progress;
  readonly finished: boolean;
  readonly error: unknown;
  readonly onContinue: () => void;
  readonly onBack: () => void;
  readonly onAgain: () => void;
}

interface ImportStepsProps<Checked, Job, Progress> {
  readonly steps: {
    readonly stage: ImportStage<Checked, Job, Progress>;
    readonly table: ImportTable | null;
    readonly error: unknown;
    readonly resume: (job: Job) => Promise<void>;
    readonly back: () => void;
    readonly again: () => void;
  };
  /** Chooses the file, and what it is imported into. */
  readonly choose: ReactNode;
  /** Maps the columns. */
  readonly map: (table: ImportTable) => ReactNode;
  /** Every needed field has a column. */
  readonly isMapped: boolean;
  readonly onCheck: () => void;
  readonly preview: (table: ImportTable, rows: readonly Checked[]) => ReactNode;
  readonly result: (props: ImportResultProps<Job, Progress>) => ReactNode;
  readonly lastImport: ReactNode;
}

/** The steps of an import, shown one below the other. */
export function ImportSteps<Checked, Job, Progress>(props: ImportStepsProps<Checked, Job, Progress>) {
  const { steps, choose, map, isMapped, onCheck, preview, result, lastImport } = props;
  const { stage, table, error, resume, back, again } = steps;
  useUnsaved(table !== null && stage.name !== 'imported');
  const running = stage.name === 'importing' || stage.name === 'imported';
  return (
    <div className={classes.stack}>
      {!running && (
        <Card>
          <div className={classes.stack}>
            {choose}
            {stage.name === 'choose' && stage.why !== undefined && <Note tone="bad">{stage.why}</Note>}
          </div>
        </Card>
      )}
      {!running && table !== null && (
        <Card title={<FileTitle table={table} />}>
          <div className={classes.stack}>
            {map(table)}
            {error !== null && <ErrorNote error={error} />}
            {stage.name !== 'checked' && (
              <Button
                className={classes.start}
                disabled={!isMapped}
                loading={stage.name === 'checking'}
                onClick={onCheck}
              >
                Check the file
              </Button>
            )}
          </div>
        </Card>
      )}
      {table !== null && stage.name === 'checked' && preview(table, stage.rows)}
      {table !== null &&
        running &&
        result({
          ...{ table, error, job: stage.job, progress: stage.progress },
          finished: stage.name === 'imported',
          onContinue: () => void resume(stage.job),
          onBack: back,
          onAgain: again,
        })}
      {stage.name !== 'importing' && lastImport}
    </div>
  );
}

function FileTitle({ table }: { readonly table: ImportTable }) {
  return (
    <>
      <bdi>{table.fileName}</bdi>: {countOf(table, table.rows.length)}
    </>
  );
}
