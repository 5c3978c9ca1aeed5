import { Button } from '@mantine/core';
import { countOf } from '@sluice/import/read/import-table';
import { Link } from 'react-router';
import { refusedCellsOf } from '../import-parts/bad-cells.ts';
import { ImportProgress as ProgressCard } from '../import-parts/import-progress.tsx';
import type { ImportResultProps } from '../import-parts/import-steps.tsx';
import type { ImportJob, ImportProgress } from './send-rows.ts';

/** Shows the progress of an import of events, and then its result. */
export function ImportResult({ job, progress, ...props }: ImportResultProps<ImportJob, ImportProgress>) {
  const { table, finished } = props;
  const total = job.batches.reduce((sum, batch) => sum + batch.length, 0);
  return (
    <ProgressCard
      {...props}
      done={progress.accepted + progress.refused.length}
      total={total}
      words={
        <>
          {finished ? 'Accepted' : 'So far'} {progress.accepted.toLocaleString('en')} of{' '}
          {countOf(table, total)}.{finished && ' They appear under Events in a moment.'}
        </>
      }
      refused={refusedCellsOf(progress.refused, table)}
      show={
        <Button component={Link} to={`/events?when=all&origin=${table.format}`}>
          Show imported events
        </Button>
      }
    />
  );
}
