import type { CheckedLeadRow } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { leadBatches } from '@sluice/import/read/batches';
import { guessLeadMapping, type LeadMapping, toLeadRow } from '@sluice/import/read/lead-mapping';
import { readLeadFile } from '@sluice/import/read/read-file';
import { useState } from 'react';
import { randomId } from '../../api/random-id.ts';
import { unreadableRows } from '../import-parts/unreadable-rows.ts';
import { useImportSteps } from '../import-parts/use-import-steps.ts';
import {
  checkLeadRows,
  importLeadBatches,
  type LeadImportJob,
  type LeadImportProgress,
  NO_LEADS_YET,
} from './send-lead-rows.ts';

const RUN = {
  nothingYet: NO_LEADS_YET,
  run: importLeadBatches,
  stale: [ROUTES.leads.list, ROUTES.leads.lastImport, ROUTES.pipeline.show],
};
const NO_MAPPING: LeadMapping = { fields: {}, custom: [] };

/** The import of leads. */
export function useLeadImport() {
  const { choose, take, check, start, discardCheck, ...steps } = useImportSteps<
    CheckedLeadRow,
    LeadImportJob,
    LeadImportProgress
  >(RUN);
  const { table } = steps;
  const [mapping, setMapping] = useState(NO_MAPPING);
  const [matchOn, setMatchOn] = useState<readonly LeadMatch[]>(['email']);
  /** Rows with errors in the file itself are not sent to the server. */
  const rows = () =>
    (table?.rows ?? [])
      .filter(({ errors }) => errors === undefined)
      .map((row) => toLeadRow(table?.columns ?? [], mapping, row));

  return {
    ...steps,
    ...{ mapping, matchOn },
    async choose(file: File) {
      const number = choose();
      const read = await readLeadFile(file);
      if (take(read, number) && read.outcome === 'read') setMapping(guessLeadMapping(read.table.columns));
    },
    check: () =>
      check(async (onProgress) => {
        const checked = await checkLeadRows([...matchOn], rows(), onProgress);
        return [...checked, ...unreadableRows(table)].sort((a, b) => a.row - b.row);
      }),
    start(checked: readonly CheckedLeadRow[]) {
      const wanted = new Set(
        checked.flatMap(({ row, verdict }) => (verdict === 'new' || verdict === 'update' ? [row] : [])),
      );
      const batches = leadBatches(rows().filter(({ row }) => wanted.has(row)));
      const file_name = (table?.fileName ?? '').slice(0, 200);
      return start({ import_id: randomId(), file_name, match_on: [...matchOn], batches });
    },
    remap(next: LeadMapping) {
      setMapping(next);
      discardCheck();
    },
    rematch(next: readonly LeadMatch[]) {
      setMatchOn(next);
      discardCheck();
    },
  };
}
