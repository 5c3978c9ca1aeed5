import { type FoldedCount, isIgnored } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { PROBLEMS } from '@sluice/contract/problem/problem';

/** Refusals that the admission script counted in Redis instead of enqueuing each one. */
export interface FoldedRefusals {
  read(): Promise<readonly FoldedCount[]>;
  /** Deletes counts that are final in the log. */
  settle(counts: readonly FoldedCount[]): Promise<void>;
}

/** The store operation for counter rows. */
export interface CounterLog {
  upsertCounterRows(rows: readonly Delivery[]): Promise<void>;
}

export interface CounterRowsDeps {
  readonly folded: FoldedRefusals;
  readonly log: CounterLog;
  /** Receives the counts that were logged, with their totals so far. Never rejects. */
  readonly onLogged?: ((counts: readonly FoldedCount[]) => Promise<void>) | undefined;
}

const REASON = 'Only the first refused requests of a minute get their own row. This row counts the others.';
const IGNORED_REASON =
  'Only the first ignored requests of a minute get their own row. This row counts the others.';

/**
 * Writes the counts of folded refusals to the delivery log, one row for each minute, source and code. Counts of past
 * minutes are then deleted from Redis. Any number of workers may do this at once, because the highest count wins.
 */
export function createWriteCounterRows({ folded, log, onLogged }: CounterRowsDeps): () => Promise<void> {
  const logged = new Map<string, number>();

  return async () => {
    const counts = await folded.read();
    const changed = counts.filter((count) => logged.get(keyOf(count)) !== count.count);
    await log.upsertCounterRows(changed.map(rowOfCount));
    for (const count of changed) logged.set(keyOf(count), count.count);
    if (changed.length > 0) await onLogged?.(changed);
    const ended = counts.filter((count) => count.ended);
    if (ended.length > 0) await folded.settle(ended);
    // A count that is no longer in Redis was settled, here or by another worker.
    const pending = new Set(counts.filter((count) => !count.ended).map(keyOf));
    for (const key of logged.keys()) if (!pending.has(key)) logged.delete(key);
  };
}

function keyOf({ source_id, account_id, minute_ms, code, signed_with }: FoldedCount): string {
  return `${source_id} ${account_id} ${minute_ms} ${code} ${signed_with ?? ''}`;
}

/** The log row of a count of folded refusals. */
export function rowOfCount({
  source_id,
  account_id,
  minute_ms,
  code,
  signed_with,
  count,
}: FoldedCount): Delivery {
  return {
    // The store derives the id of a counter row from its other fields.
    delivery_id: '',
    source_id,
    account_id,
    received_at: minute_ms,
    ...(isIgnored(code)
      ? { http_status: 200, outcome: 'ignored', code: null, unapplied: code, reason: IGNORED_REASON }
      : { http_status: PROBLEMS[code].status, outcome: 'rejected', code, reason: REASON }),
    count,
    action: null,
    title: null,
    request_id: null,
    sequence: null,
    event_id: null,
    duplicate_of: null,
    ...(signed_with !== undefined && { signed_with }),
  };
}
