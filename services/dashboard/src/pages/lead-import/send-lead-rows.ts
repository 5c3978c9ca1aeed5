import type { CheckedLeadRow, LeadImportRow, LeadsImported } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { leadBatches, withRepetitions } from '@sluice/import/read/batches';
import { callApi } from '../../api/api-client.ts';

/** Checks what each row would do. `onProgress` receives the number of checked rows. */
export async function checkLeadRows(
  match_on: LeadMatch[],
  rows: readonly LeadImportRow[],
  onProgress: (done: number) => void,
): Promise<CheckedLeadRow[]> {
  const checked: CheckedLeadRow[] = [];
  for (const batch of leadBatches(rows)) {
    const answer = await callApi(ROUTES.leads.checkImport, { body: { match_on, rows: batch } });
    checked.push(...answer.rows);
    onProgress(checked.length);
  }
  return withRepetitions(checked);
}

/** An import to run. */
export interface LeadImportJob {
  readonly import_id: string;
  readonly file_name: string;
  readonly match_on: LeadMatch[];
  readonly batches: readonly (readonly LeadImportRow[])[];
}

/** The progress of an import. After a failure, the import continues from here. */
export interface LeadImportProgress extends LeadsImported {
  readonly batchesDone: number;
}

export const NO_LEADS_YET: LeadImportProgress = {
  ...{ batchesDone: 0, created: 0, updated: 0, unchanged: 0 },
  refused: [],
};

/** Imports batch after batch. Rejects if one fails; the last progress passed to `onProgress` is where to continue. */
export async function importLeadBatches(
  { batches, ...job }: LeadImportJob,
  before: LeadImportProgress,
  onProgress: (progress: LeadImportProgress) => void,
): Promise<void> {
  let progress = before;
  for (const batch of batches.slice(before.batchesDone)) {
    const answer = await callApi(ROUTES.leads.import, { body: { ...job, rows: [...batch] } });
    progress = {
      batchesDone: progress.batchesDone + 1,
      created: progress.created + answer.created,
      updated: progress.updated + answer.updated,
      unchanged: progress.unchanged + answer.unchanged,
      refused: [...progress.refused, ...answer.refused],
    };
    onProgress(progress);
  }
}
