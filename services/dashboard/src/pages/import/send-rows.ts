import type { ImportFormat } from '@sluice/contract/event-fields';
import { groupsWithin } from '@sluice/contract/within-limits';
import type { CheckedRow, ImportAccepted, ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_BATCH_ROWS } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { callApi } from '../../api/api-client.ts';

/** The API accepts at most 1 MiB per request; this leaves room. */
const BATCH_BYTES = 700 * 1024;

/** Splits the rows into batches that fit into a request, in order. */
export function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  const encoder = new TextEncoder();
  const sizeOf = (row: ImportRow) => encoder.encode(JSON.stringify(row)).length;
  return groupsWithin(rows, { sizeOf, maxItems: IMPORT_BATCH_ROWS, maxSize: BATCH_BYTES });
}

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

/** A second row for a new event updates the event that the first row creates. */
function withRepetitions(rows: readonly CheckedRow[]): CheckedRow[] {
  const made = new Set<string>();
  return rows.map((row) => {
    switch (row.verdict) {
      case 'new':
        if (made.has(row.event_id)) return { ...row, verdict: 'update' };
        made.add(row.event_id);
        return row;
      case 'nothing':
        return made.has(row.event_id) ? { ...row, verdict: 'cancel' } : row;
      default:
        return row;
    }
  });
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
