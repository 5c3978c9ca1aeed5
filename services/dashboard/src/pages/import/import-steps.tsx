import { Button } from '@mantine/core';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '../../ui/page.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { number } from '../../ui/words.ts';
import { BadRowList } from './bad-row-list.tsx';
import { type BadCell, refusedCellsOf } from './bad-rows.ts';
import type { ImportJob, ImportProgress, ImportStage } from './use-import-steps.ts';

interface ImportStepsProps<Checked> {
  readonly steps: {
    readonly stage: ImportStage<Checked>;
    readonly table: ImportTable | null;
    readonly error: unknown;
    readonly resume: (job: ImportJob) => Promise<void>;
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
  /** The counts so far, in words. `total`: all rows of the import. */
  readonly words: (counts: ImportProgress['counts'], total: string, finished: boolean) => ReactNode;
  /** The link to what was imported. */
  readonly show: { readonly to: string; readonly label: string };
  readonly lastImport: ReactNode;
}

/** The steps of an import, shown one below the other. */
export function ImportSteps<Checked>(props: ImportStepsProps<Checked>) {
  const { steps, choose, map, isMapped, onCheck, preview, lastImport } = props;
  const { stage, table, error } = steps;
  useUnsaved(table !== null && stage.name !== 'imported');
  const running = stage.name === 'importing' || stage.name === 'imported';
  return (
    <div className="stack">
      {!running && (
        <Card>
          <div className="stack">
            {choose}
            {stage.name === 'choose' && stage.why !== undefined && <Note tone="bad">{stage.why}</Note>}
          </div>
        </Card>
      )}
      {!running && table !== null && (
        <Card title={<FileTitle table={table} />}>
          <div className="stack">
            {map(table)}
            {error !== null && <ErrorNote error={error} />}
            {stage.name !== 'checked' && (
              <Button
                className="start"
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
      {table !== null && running && <Progress {...props} table={table} stage={stage} />}
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

interface ProgressProps extends Pick<ImportStepsProps<never>, 'words' | 'show'> {
  readonly steps: Pick<ImportStepsProps<never>['steps'], 'error' | 'resume' | 'back' | 'again'>;
  readonly table: ImportTable;
  readonly stage: { readonly name: string; readonly job: ImportJob; readonly progress: ImportProgress };
}

/** Shows the progress of an import, and then its result. */
function Progress({ table, stage: { name, job, progress }, words, show, steps }: ProgressProps) {
  const { error, resume, back, again } = steps;
  const { counts, refused } = progress;
  const finished = name === 'imported';
  const done = Object.values(counts).reduce((sum, count) => sum + count, refused.length);
  return (
    <Card title={finished ? 'Imported' : 'Importing'}>
      <div className="stack">
        <progress value={done} max={job.rows} aria-label="Rows imported" />
        <p className="number" role="status">
          {words(counts, countOf(table, job.rows), finished)}
        </p>
        {error !== null && (
          <>
            <ErrorNote error={error} onRetry={() => void resume(job)} />
            <Button className="start" variant="default" onClick={back}>
              Back to the check
            </Button>
          </>
        )}
        {refused.length > 0 && (
          <>
            <Note tone="warn">{countOf(table, refused.length)} rejected.</Note>
            <BadRowList file={table} bad={refusedCellsOf(refused, table)} />
          </>
        )}
        {finished && (
          <div className="row">
            <Button component={Link} to={show.to}>
              {show.label}
            </Button>
            <Button variant="default" onClick={again}>
              Import another file
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

interface PreviewProps {
  readonly table: ImportTable;
  /** How many rows have each verdict. */
  readonly counts: readonly (readonly [count: number, verdict: string])[];
  readonly bad: readonly BadCell[];
  /** How many rows an import would send. */
  readonly good: number;
  readonly onImport: () => void;
  /** Notes about what the import would do. */
  readonly children: ReactNode;
}

/** Shows what an import would do. */
export function Preview({ table, counts, bad, good, onImport, children }: PreviewProps) {
  return (
    <Card title="Preview">
      <div className="stack">
        <p role="status">
          {counts.map(([count, verdict], index) => (
            <Fragment key={verdict}>
              {index > 0 && ', '}
              <strong>{number(count)}</strong> {verdict}
            </Fragment>
          ))}
          . Nothing has been changed yet.
        </p>
        {children}
        {bad.length > 0 && <BadRowList file={table} bad={bad} />}
        {good > 0 && (
          <Button className="start" onClick={onImport}>
            Import {countOf(table, good)}
          </Button>
        )}
      </div>
    </Card>
  );
}

const NOTES_SHOWN = 20;

interface RowNotesProps {
  readonly table: ImportTable;
  readonly rows: readonly { readonly row: number; readonly notes: readonly string[] }[];
}

/** Lists what was read differently from how the file has it, or left out. */
export function RowNotes({ table, rows }: RowNotesProps) {
  const notes = rows.flatMap(({ row, notes: own }) => own.map((text) => ({ row, text })));
  if (notes.length === 0) return null;
  const count = new Set(notes.map(({ row }) => row)).size;
  const name = table.format === 'csv' ? 'Row' : 'Event';
  return (
    <Note tone="warn">
      <details>
        <summary>{countOf(table, count)} will be imported with a change. Look at them.</summary>
        <ul>
          {notes.slice(0, NOTES_SHOWN).map(({ row, text }) => (
            <li key={`${row} ${text}`}>
              {name} {row}: {text}
            </li>
          ))}
        </ul>
        {notes.length > NOTES_SHOWN && <p>{number(notes.length - NOTES_SHOWN)} more are not shown.</p>}
      </details>
    </Note>
  );
}
