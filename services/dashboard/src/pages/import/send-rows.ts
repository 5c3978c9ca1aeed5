import type { ImportFormat } from '@sluice/contract/event-fields';
import type { CheckedRow, ImportAccepted, ImportRow } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { batchesOf } from '@sluice/importing/batches';
import { withRepetitions } from '@sluice/importing/with-repetitions';
import { callApi } from '../../api/api-client.ts';

/** Checks what each row would do. `onProgress` receives the number of checked rows. */
export async function checkRows(
  source_id: string,
  rows: readonly ImportRow[],
  onProgress: (done: number) => void,
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = [];
  for (const batch of batchesOf(rows)) {
    const answer = await callApi(ROUTES.events.checkImport, { body: { source_id, rows: batch } });
    checked.push(...answer.rows);
    onProgress(checked.length);
  }
  return withRepetitions(checked);
}

/** An import to run. */
export interface ImportJob {
  readonly source_id: string;
  readonly import_id: string;
  readonly file_name: string;
  readonly format: ImportFormat;
  readonly batches: readonly (readonly ImportRow[])[];
}

/** The progress of an import. After a failure, the import continues from here. */
export interface ImportProgress extends ImportAccepted {
  readonly batchesDone: number;
}

export const NOTHING_YET: ImportProgress = { batchesDone: 0, accepted: 0, refused: [] };

/** Imports batch after batch. Rejects if one fails; the last progress passed to `onProgress` is where to continue. */
export async function importBatches(
  { batches, ...job }: ImportJob,
  before: ImportProgress,
  onProgress: (progress: ImportProgress) => void,
): Promise<void> {
  let progress = before;
  for (const batch of batches.slice(before.batchesDone)) {
    const answer = await callApi(ROUTES.events.import, { body: { ...job, rows: [...batch] } });
    progress = {
      batchesDone: progress.batchesDone + 1,
      accepted: progress.accepted + answer.accepted,
      refused: [...progress.refused, ...answer.refused],
    };
    onProgress(progress);
  }
}
