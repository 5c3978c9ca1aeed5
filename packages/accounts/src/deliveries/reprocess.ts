import type { EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { groupsWithin, type Limits } from '@sluice/contract/delivery/within-limits';
import type { Mapper } from '@sluice/signature/mapping/mapper';
import { type NotReprocessable, readKeptAction } from './kept-action.ts';

/** Limits of one job: the same as for a group of the ingress. */
const MAX_ITEMS = 200;
const MAX_BYTES = 256 * 1024;

export interface ReprocessedRows {
  /** The new deliveries. */
  readonly deliveryIds: readonly string[];
  /** The number of deliveries that were not reprocessed, by the sentence that states why. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Those before this index are settled. The others wait: nothing more can be enqueued at the moment. */
  readonly settled: number;
  readonly retryAfterSeconds: number | null;
}

/**
 * Reprocesses many deliveries of one source, in the order given. Stops at the first group for which the queue has no
 * room, so none is lost. `once` skips those that were reprocessed this way within the last hour.
 */
export async function reprocessAll(
  enqueue: EnqueueActions,
  sourceId: string,
  { all, once }: { readonly all: readonly Reprocessing[]; readonly once: boolean },
): Promise<ReprocessedRows> {
  let settled = 0;
  const reasons = new Map<string, number>();
  const deliveryIds: string[] = [];
  const note = (detail: string) => reasons.set(detail, (reasons.get(detail) ?? 0) + 1);
  for (const group of groupsWithin(all, ONE_JOB)) {
    const able = group.flatMap((one) => ('refused' in one ? [] : [{ ...one, once }]));
    const results = able.length === 0 ? [] : await enqueue(sourceId, able);
    const full = results.find((result) => result.outcome === 'refused' && result.code === 'unavailable');
    if (full?.outcome === 'refused') {
      const retryAfterSeconds = full.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
      return { deliveryIds, reasons, settled, retryAfterSeconds };
    }
    for (const one of group) if ('refused' in one) note(WHY_NOT[one.refused]);
    for (const result of results) {
      if (result.outcome === 'refused') note(result.detail);
      else if (!result.repeated) deliveryIds.push(result.delivery_id);
    }
    settled += group.length;
  }
  return { deliveryIds, reasons, settled, retryAfterSeconds: null };
}

const DEFAULT_WAIT_SECONDS = 2;

/** Why a delivery cannot be reprocessed, and what to do. */
export const WHY_NOT: Record<NotReprocessable, string> = {
  not_verified: 'The signature of this delivery was not valid. Unverified bodies are never reprocessed.',
  no_request:
    'This delivery was created by an import or an admin, not by a request. Import the row again, or change the event.',
  no_body:
    'The body of this delivery was not stored. Bodies up to 64 KiB are stored if the source allows it.',
  not_an_action:
    'The body of this delivery is not a valid action, and no mapping makes one of it. Correct the mapping, or the sender and send it again.',
  counted: 'This row counts many requests. Their bodies were not stored.',
};

/** The action that reprocesses a delivery, or why there is none. */
export type Reprocessing = WantedAction | { readonly refused: NotReprocessable };

/** `mapper`: the current mapping of the source. */
export function wantedOf(row: Delivery, mapper: Mapper | undefined): Reprocessing {
  const read = readKeptAction(row, mapper);
  if (read.status === 'not_reprocessable') return { refused: read.why };
  return {
    action: read.action,
    reprocess_of: row.delivery_id,
    ...(read.mapped !== undefined && { mapped: read.mapped }),
    ...(row.request !== undefined && { request: row.request }),
  };
}

const ONE_JOB: Limits<Reprocessing> = {
  sizeOf: (one) => ('refused' in one ? 0 : (one.request?.bytes ?? 0)),
  maxItems: MAX_ITEMS,
  maxSize: MAX_BYTES,
};
