import type { FoldedCount } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery';
import { PROBLEMS } from '@sluice/contract/problem';

/** Refusals that the admission script counted in Redis instead of giving each a row. */
export interface FoldedRefusals {
  read(): Promise<readonly FoldedCount[]>;
  /** Forgets what is in the log for good. */
  settle(counts: readonly FoldedCount[]): Promise<void>;
}

/** The verb of the store that counter rows need. */
export interface CounterLog {
  upsertCounterRow(row: Delivery): Promise<void>;
}

export interface CounterRowsDeps {
  readonly folded: FoldedRefusals;
  readonly log: CounterLog;
}

const REASON = 'More requests were refused in this minute than get a row each; this row counts the others.';

/**
 * Brings the counts of folded refusals into the delivery log, one row a minute, source and code, and lets go of those
 * of ended minutes once they are there. Any number of workers may do so at once: the highest count stays.
 */
export function createWriteCounterRows({ folded, log }: CounterRowsDeps): () => Promise<void> {
  const logged = new Map<string, number>();

  return async () => {
    const counts = await folded.read();
    for (const count of counts) {
      const key = keyOf(count);
      if (logged.get(key) === count.count) continue;
      await log.upsertCounterRow(rowOfCount(count));
      logged.set(key, count.count);
    }
    const ended = counts.filter((count) => count.ended);
    if (ended.length > 0) await folded.settle(ended);
    // Whatever is not read any more has been settled, here or by another worker.
    const pending = new Set(counts.filter((count) => !count.ended).map(keyOf));
    for (const key of logged.keys()) if (!pending.has(key)) logged.delete(key);
  };
}

function keyOf({ source_id, account_id, minute_ms, code, signed_with }: FoldedCount): string {
  return `${source_id} ${account_id} ${minute_ms} ${code} ${signed_with ?? ''}`;
}

/** The row of the log that stands for folded refusals. */
export function rowOfCount({
  source_id,
  account_id,
  minute_ms,
  code,
  signed_with,
  count,
}: FoldedCount): Delivery {
  return {
    // The store names a counter row by what it counts.
    delivery_id: '',
    source_id,
    account_id,
    received_at: minute_ms,
    http_status: PROBLEMS[code].status,
    outcome: 'rejected',
    code,
    count,
    reason: REASON,
    action: null,
    title: null,
    request_id: null,
    sequence: null,
    event_id: null,
    duplicate_of: null,
    ...(signed_with !== undefined && { signed_with }),
  };
}
