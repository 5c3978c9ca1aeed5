import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';

/** A line of the list: a delivery, or the head of a run of 429s. */
export interface Line {
  /** The id of the delivery. A burst uses its oldest delivery, which stays the same when newer ones arrive. */
  readonly id: string;
  /** The delivery, or the newest delivery of a burst. */
  readonly item: DeliveryItem;
  /** The rows of a burst, newest first; null for a delivery. */
  readonly burst: readonly DeliveryItem[] | null;
  /** Whether the rows of a burst follow. */
  readonly isOpen: boolean;
}

/** Shorter runs are as quick to read as a count. */
const MIN_BURST_ROWS = 3;

/** Puts a head above each run of 429s. The rows of the run follow if one of them is in `opened`. */
export function foldBursts(rows: readonly DeliveryItem[], opened: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < rows.length; ) {
    const length = Math.max(1, burstLength(rows, start));
    const run = rows.slice(start, start + length);
    const isOpen = run.some(({ delivery_id: id }) => opened.has(id));
    if (length >= MIN_BURST_ROWS) lines.push(headOf(run, isOpen));
    if (length < MIN_BURST_ROWS || isOpen) lines.push(...run.map(single));
    start += length;
  }
  return lines;
}

/** Returns the number of requests that the rows stand for. */
export function requestsIn(rows: readonly DeliveryItem[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function burstLength(rows: readonly DeliveryItem[], start: number): number {
  let end = start;
  while (rows[end]?.http_status === 429) end += 1;
  return end - start;
}

function single(item: DeliveryItem): Line {
  return { id: item.delivery_id, item, burst: null, isOpen: false };
}

function headOf(run: readonly DeliveryItem[], isOpen: boolean): Line {
  const [newest, oldest] = [run[0] as DeliveryItem, run.at(-1) as DeliveryItem];
  return { id: `burst ${oldest.delivery_id}`, item: newest, burst: run, isOpen };
}
