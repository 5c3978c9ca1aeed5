import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';

/** A line of the list: a delivery, or the head of many one after the other that were refused for the rate. */
export interface Line {
  /** Of the delivery; of a burst made of its oldest, which stays the same while newer ones come. */
  readonly id: string;
  /** The delivery; the newest of a burst. */
  readonly item: DeliveryItem;
  /** The rows of a burst, newest first; null for a delivery. */
  readonly burst: readonly DeliveryItem[] | null;
  /** Of a burst: each of its rows follows. */
  readonly isOpen: boolean;
}

/** Fewer are as quickly read as counted. */
const WORTH_FOLDING = 3;

/** Puts a head over each run of 429s; the run itself follows where a delivery of it is in `opened`. */
export function foldBursts(rows: readonly DeliveryItem[], opened: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < rows.length; ) {
    const length = Math.max(1, burstLength(rows, start));
    const run = rows.slice(start, start + length);
    const isOpen = run.some(({ delivery_id: id }) => opened.has(id));
    if (length >= WORTH_FOLDING) lines.push(headOf(run, isOpen));
    if (length < WORTH_FOLDING || isOpen) lines.push(...run.map(single));
    start += length;
  }
  return lines;
}

/** How many requests the rows stand for. */
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
