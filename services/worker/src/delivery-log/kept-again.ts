import type { Delivery } from '@sluice/contract/delivery/delivery';
import { DAY_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';

/** A row is in the log for at least this long after a retry, unless the log keeps all rows for less. */
const SEEN_MS = DAY_MS;

export interface Retention {
  /** How long the log keeps rows. Milliseconds. */
  readonly retentionMs: number;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/**
 * The row of a retried dead letter. A letter has no expiry, and its row has one. MongoDB would delete an older row within a
 * minute, and nobody could see what became of the retry. So its time begins again, and the reason states the first one.
 */
export function keptAgain(row: Delivery, { retentionMs, nowMs }: Retention): Delivery {
  const left = row.received_at + retentionMs - nowMs;
  if (left >= Math.min(SEEN_MS, retentionMs / 2)) return row;
  const received = `Received at ${formatInstant(row.received_at)}, and retried as a dead letter.`;
  return { ...row, received_at: nowMs, reason: row.reason === null ? received : `${row.reason} ${received}` };
}
