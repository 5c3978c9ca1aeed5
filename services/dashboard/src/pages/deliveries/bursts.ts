import type { DeliveryItem } from '@sluice/contract/dashboard/deliveries';

/** A line of the list: a delivery, or many one after the other that were refused for the rate. */
export interface Line {
  /** Of the delivery; of the oldest of a burst, which stays the same while newer ones come. */
  readonly id: string;
  /** The delivery; the newest of a burst. */
  readonly item: DeliveryItem;
  /** The rows of a folded burst, newest first; null for a delivery. */
  readonly burst: readonly DeliveryItem[] | null;
}

/** Fewer are as quickly read as counted. */
const WORTH_FOLDING = 3;

/** Folds each run of 429s into one line, but for those of which a delivery is in `opened`. */
export function foldBursts(rows: readonly DeliveryItem[], opened: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < rows.length; ) {
    const length = Math.max(1, burstLength(rows, start));
    const run = rows.slice(start, start + length);
    if (length < WORTH_FOLDING || run.some(({ delivery_id: id }) => opened.has(id)))
      lines.push(...run.map(single));
    else lines.push(folded(run));
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
  return { id: item.delivery_id, item, burst: null };
}

function folded(run: readonly DeliveryItem[]): Line {
  const [newest, oldest] = [run[0] as DeliveryItem, run.at(-1) as DeliveryItem];
  return { id: oldest.delivery_id, item: newest, burst: run };
}
