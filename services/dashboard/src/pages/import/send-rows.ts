import type { ImportFormat } from '@sluice/contract/event-fields';
import { groupsWithin } from '@sluice/contract/within-limits';
import type { CheckedRow, ImportAccepted, ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_BATCH_ROWS } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { callApi } from '../../api/api-client.ts';

/** The body of such a request has at most 1 MiB. */
const BATCH_BYTES = 700 * 1024;

/** The rows in parts that fit into a request, in their order. */
export function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  const encoder = new TextEncoder();
  const sizeOf = (row: ImportRow) => encoder.encode(JSON.stringify(row)).length;
  return groupsWithin(rows, { sizeOf, maxItems: IMPORT_BATCH_ROWS, maxSize: BATCH_BYTES });
}

/** Asks of every row what it would do. `onProgress` hears how many were looked at. */
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

/** The second row about a new event changes what the first one makes. */
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

/** What is to be imported. */
export interface ImportJob {
  readonly source_id: string;
  readonly import_id: string;
  readonly file_name: string;
  readonly format: ImportFormat;
  readonly batches: readonly (readonly ImportRow[])[];
}

/** How far it got; where a part fails, it goes on from there. */
export interface ImportProgress extends ImportAccepted {
  readonly batchesDone: number;
}

export const NOTHING_YET: ImportProgress = { batchesDone: 0, accepted: 0, refused: [] };

/** Imports part after part. Rejects where one fails; what `onProgress` heard last is where to go on. */
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
