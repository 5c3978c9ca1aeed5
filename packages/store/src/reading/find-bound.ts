import { DAY_MS } from '@sluice/contract/durations';

/** The most items that a page may read and sort. */
export const MOST_SORTED = 2000;

/** The place from which a bound is looked for. Times are milliseconds since the Unix epoch. */
export interface BoundSearch {
  readonly descending: boolean;
  /** No item of the page lies on the other side of it, or only few. */
  readonly from: number;
  /** The first distance to look at. Milliseconds. */
  readonly widthMs: number;
  /** After so many distances all items are counted: a filter may select few of an account's many items. */
  readonly stepsBeforeAll: number;
  /** Items of the page. */
  readonly limit: number;
}

/** The number of items up to a bound, counted up to `most`. Undefined: no bound. */
export type CountUpTo = (bound: number | undefined, most: number) => Promise<number>;

/** Each distance is as many times as long as the one before. */
const WIDER = 8;
/** Wider than this is no bound. */
const WIDEST_MS = 100 * 365 * DAY_MS;

/**
 * Finds a bound with more than a page of items, but at most MOST_SORTED of them. Undefined: the list is that short without a
 * bound. Counting is ten times as cheap as sorting, but it takes time for each item too. So it begins close to the page.
 */
export async function findBound(
  { descending, from, widthMs, stepsBeforeAll, limit }: BoundSearch,
  count: CountUpTo,
): Promise<number | undefined> {
  const boundAt = (width: number) => (descending ? from - width : from + width);
  const countAt = (width: number) => count(boundAt(width), MOST_SORTED + 1);
  let [near, far] = [0, Math.max(1, Math.ceil(widthMs))];
  let found = await countAt(far);
  for (let step = 1; found <= limit; step++) {
    if (step === stepsBeforeAll && (await count(undefined, MOST_SORTED + 1)) <= MOST_SORTED) return undefined;
    [near, far] = [far, far * WIDER];
    if (far > WIDEST_MS) return undefined;
    found = await countAt(far);
  }
  // Many items may have the same time.
  while (found > MOST_SORTED && far - near > 1) {
    const middle = Math.floor((near + far) / 2);
    const less = await countAt(middle);
    if (less > limit) [far, found] = [middle, less];
    else near = middle;
  }
  return boundAt(far);
}
