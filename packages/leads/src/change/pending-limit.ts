import type { Lead } from '@sluice/store/leads/lead-document';
import { bytesOfChanges } from '@sluice/store/pending/pending-list';

/** Too much text of a lead's changes waits to be published. The request can be repeated. */
export class PendingLimitError extends Error {
  override readonly name = 'PendingLimitError';
}

/** A document of MongoDB has 16 MiB. A change of the largest lead takes 1 MiB. Bytes of JSON. */
const MOST_BYTES = 4 * 2 ** 20;
/** Fewer changes are never too much, so that the usual lead is not measured. */
const UNMEASURED = 4;

/**
 * A lead keeps its changes until they are published, however long Redis takes no messages. Throws PendingLimitError if a further one
 * could not be stored one day.
 */
export function expectRoomForPending({ lead_id, untold }: Pick<Lead, 'lead_id' | 'untold'>): void {
  if (untold.length < UNMEASURED || bytesOfChanges(untold) < MOST_BYTES) return;
  throw new PendingLimitError(`${untold.length} changes of ${lead_id} are not published yet`);
}
