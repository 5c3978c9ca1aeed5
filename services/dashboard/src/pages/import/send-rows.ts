import type { ImportFormat } from '@sluice/contract/event-fields';
import type { ImportAccepted, ImportRow } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { StoredEvents } from '@sluice/import/read/plan-file';
import { callApi } from '../../api/api-client.ts';

/** The questions that the plan of an import asks about the events of a source. */
export function storedEventsOf(source_id: string): StoredEvents {
  return {
    check: async (rows) => (await callApi(ROUTES.events.checkImport, { body: { source_id, rows } })).rows,
    find: (uids) => callApi(ROUTES.events.findUids, { body: { source_id, uids } }),
  };
}

/** An import to run. */
export interface ImportJob {
  readonly source_id: string;
  readonly import_id: string;
  readonly file_name: string;
  readonly format: ImportFormat;
  /** The state of the source that the check has seen. */
  readonly seen?: string | undefined;
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
