import type { EnqueueActions, Enqueued } from '@sluice/admission/enqueue/enqueue-actions';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { groupsWithin, type Limits } from '@sluice/contract/delivery/within-limits';
import { refuse } from '../http/result.ts';
import { type NotReprocessable, readKeptAction } from './reprocessable.ts';

/** Limits of one job: the same as for a group of the ingress. */
const MAX_ITEMS = 200;
const MAX_BYTES = 256 * 1024;

/** Reprocesses a delivery: enqueues its action as a new delivery that refers to it. */
export async function reprocessOne(enqueue: EnqueueActions, row: Delivery): Promise<Enqueued> {
  const wanted = wantedOf(row);
  if ('refused' in wanted) return refuse('not_reprocessable', EXPLAINED[wanted.refused]);
  const [result] = await enqueue(row.source_id, [wanted]);
  if (result === undefined) throw new Error('one action was enqueued, but no result was returned');
  return result;
}

export interface ReprocessedRows {
  readonly reprocessed: number;
  readonly skipped: number;
  readonly refused: number;
  /** The number of deliveries that were not reprocessed, by the sentence that states why. */
  readonly reasons: ReadonlyMap<string, number>;
  /** The rows before this index are settled. The others wait: nothing more can be enqueued at the moment. */
  readonly settled: number;
  readonly retryAfterSeconds: number | null;
}

/**
 * Reprocesses many deliveries of one source, in the order given. Stops at the first group for which the queue has no
 * room, so no row is lost. `once` skips rows that were reprocessed this way within the last hour.
 */
export async function reprocessAll(
  enqueue: EnqueueActions,
  rows: readonly Delivery[],
  once: boolean,
): Promise<ReprocessedRows> {
  let [reprocessed, skipped, refused, settled] = [0, 0, 0, 0];
  const reasons = new Map<string, number>();
  const note = (detail: string) => {
    refused += 1;
    reasons.set(detail, (reasons.get(detail) ?? 0) + 1);
  };
  for (const group of groupsWithin(rows, ONE_JOB)) {
    const wanted = group.map(wantedOf);
    const able = wanted.flatMap((one) => ('refused' in one ? [] : [{ ...one, once }]));
    const [first] = group;
    const results = first === undefined || able.length === 0 ? [] : await enqueue(first.source_id, able);
    const full = results.find((result) => result.outcome === 'refused' && result.code === 'unavailable');
    if (full?.outcome === 'refused') {
      const retryAfterSeconds = full.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
      return { reprocessed, skipped, refused, reasons, settled, retryAfterSeconds };
    }
    for (const one of wanted) if ('refused' in one) note(EXPLAINED[one.refused]);
    for (const result of results) {
      if (result.outcome === 'refused') note(result.detail);
      else if (result.repeated) skipped += 1;
      else reprocessed += 1;
    }
    settled += group.length;
  }
  return { reprocessed, skipped, refused, reasons, settled, retryAfterSeconds: null };
}

const DEFAULT_WAIT_SECONDS = 2;

const EXPLAINED: Record<NotReprocessable, string> = {
  not_verified: 'The signature of this delivery was not valid. Unverified bodies are never reprocessed.',
  no_request:
    'This delivery was created by an import or an admin, not by a request. Import the row again, or change the event.',
  no_body:
    'The body of this delivery was not stored. Bodies up to 64 KiB are stored if the source allows it.',
  not_an_action:
    'The body of this delivery is not a valid action. Correct it in the sender and send it again.',
  counted: 'This row counts many requests. Their bodies were not stored.',
};

function wantedOf(row: Delivery): WantedAction | { readonly refused: NotReprocessable } {
  const read = readKeptAction(row);
  if (read.status === 'not_reprocessable') return { refused: read.why };
  return {
    action: read.action,
    reprocess_of: row.delivery_id,
    ...(row.request !== undefined && { request: row.request }),
  };
}

const ONE_JOB: Limits<Delivery> = {
  sizeOf: ({ request }) => request?.bytes ?? 0,
  maxItems: MAX_ITEMS,
  maxSize: MAX_BYTES,
};
