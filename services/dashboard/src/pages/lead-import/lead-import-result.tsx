import { Button } from '@mantine/core';
import { countOf } from '@sluice/import/read/import-table';
import { Link } from 'react-router';
import { refusedCellsOf } from '../import-parts/bad-cells.ts';
import { ImportProgress } from '../import-parts/import-progress.tsx';
import type { ImportResultProps } from '../import-parts/import-steps.tsx';
import type { LeadImportJob, LeadImportProgress } from './send-lead-rows.ts';

/** Shows the progress of an import of leads, and then its result. */
export function LeadImportResult({
  job,
  progress,
  ...props
}: ImportResultProps<LeadImportJob, LeadImportProgress>) {
  const { table, finished } = props;
  const { created, updated, unchanged, refused } = progress;
  const total = job.batches.reduce((sum, batch) => sum + batch.length, 0);
  return (
    <ImportProgress
      {...props}
      done={created + updated + unchanged + refused.length}
      total={total}
      words={
        <>
          {!finished && 'So far '}
          {created.toLocaleString('en')} created, {updated.toLocaleString('en')} updated,{' '}
          {unchanged.toLocaleString('en')} without a change, of {countOf(table, total)}.
        </>
      }
      refused={refusedCellsOf(refused, table)}
      show={
        <Button component={Link} to="/leads?sort=-updated_at">
          Show leads
        </Button>
      }
    />
  );
}
