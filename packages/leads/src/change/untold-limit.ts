import type { Lead } from '@sluice/store/leads/lead-document';
import { bytesOfChanges } from '@sluice/store/untold/untold-list';

/** Too much text of a lead's changes waits to be told. The request can be repeated. */
export class UntoldLimitError extends Error {
  override readonly name = 'UntoldLimitError';
}

/** A document of MongoDB has 16 MiB. A change of the largest lead takes 1 MiB. Bytes of JSON. */
const MOST_BYTES = 4 * 2 ** 20;
/** Fewer changes are never too much, so that the usual lead is not measured. */
const UNMEASURED = 4;

/**
 * A lead keeps its changes until they are told, however long Redis takes no messages. Throws UntoldLimitError if a further one
 * could not be stored one day.
 */
export function expectRoomForUntold({ lead_id, untold }: Pick<Lead, 'lead_id' | 'untold'>): void {
  if (untold.length < UNMEASURED || bytesOfChanges(untold) < MOST_BYTES) return;
  throw new UntoldLimitError(`${untold.length} changes of ${lead_id} are not told yet`);
}
