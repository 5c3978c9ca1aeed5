import { createBoundedMap } from './bounded-map.ts';
import { type CountUpTo, findBound, MOST_SORTED } from './find-bound.ts';
import type { Page } from './read-page.ts';

/** A list that is sorted by a time. Times are milliseconds since the Unix epoch. */
export interface TimedList<Item> {
  /** Equal for two requests of the same list: its account, filter, order and limit. */
  readonly name: string;
  /** The name of the list that `readWhole` reads. */
  readonly whole: string;
  readonly descending: boolean;
  /** The time of the last item of the previous page, or before which no item lies. */
  readonly after: number | undefined;
  /** Items of a page. */
  readonly limit: number;
  readonly timeOf: (item: Item) => number;
}

/** Bounds are the furthest time: not older if the list is descending, not newer if it is ascending. Undefined: no bound. */
export interface BoundedReader<Item> {
  readonly read: (bound: number | undefined) => Promise<Page<Item>>;
  readonly count: CountUpTo;
  /** Reads the first page of the list without a filter. */
  readonly readWhole: () => Promise<unknown>;
}

export type BoundedPages<Item> = (list: TimedList<Item>, reader: BoundedReader<Item>) => Promise<Page<Item>>;

const FIRST_WIDTH_MS = 1000;
/** No service is older. */
const EARLIEST = Date.UTC(2020, 0, 1);
/** Items that are added within this time after a first page are too few to matter. Milliseconds. */
const FRESH_MS = 5000;
const MOST_LISTS = 1000;

/** The end of the last page of a list. */
interface Known {
  /** The bound of the first page, and when it was learnt. */
  first?: { readonly bound: number; readonly at: number };
  /** The width of later pages. */
  widthMs?: number;
}

/** The first page of a list without a filter, and when it was read. */
interface Start {
  readonly from: number;
  readonly widthMs: number;
  readonly at: number;
}

/**
 * Reads pages for engines that sort everything that a filter selects, but use an index for a range of the sorted time. A page
 * is read within a bound that has few enough items (find-bound.ts). Each list remembers how far its last page reached, so most
 * pages take one query, or two.
 */
export function createBoundedPages<Item>(now: () => number = Date.now): BoundedPages<Item> {
  const lists = createBoundedMap<Known>(MOST_LISTS);
  const starts = createBoundedMap<Start>(MOST_LISTS);
  /** Concurrent requests for a page share a search. */
  const searches = createBoundedMap<Promise<number | undefined>>(MOST_LISTS);
  const isFresh = (learnt: { readonly at: number } | undefined) => now() - (learnt?.at ?? 0) < FRESH_MS;

  async function startOf(
    { name, whole, descending, after }: TimedList<Item>,
    { readWhole }: BoundedReader<Item>,
  ) {
    if (after !== undefined)
      return { from: after, widthMs: starts.get(whole)?.widthMs ?? FIRST_WIDTH_MS, stepsBeforeAll: 4 };
    // Many items may have been added since.
    if (name !== whole && !isFresh(starts.get(whole))) await readWhole();
    const known = name === whole ? undefined : starts.get(whole);
    const from = known?.from ?? (descending ? now() : EARLIEST);
    return { from, widthMs: known?.widthMs ?? FIRST_WIDTH_MS, stepsBeforeAll: 2 };
  }

  function search(list: TimedList<Item>, reader: BoundedReader<Item>): Promise<number | undefined> {
    const { name, after, limit, descending } = list;
    const key = `${name} ${after}`;
    const running = searches.get(key);
    if (running !== undefined) return running;
    const begun = startOf(list, reader)
      .then((start) => findBound({ ...start, descending, limit }, reader.count))
      .finally(() => searches.delete(key));
    searches.set(key, begun);
    return begun;
  }

  /** Learns twice as far as a page reached, because a full page is known by one more item. */
  function learn({ name, whole, descending, after, timeOf }: TimedList<Item>, items: readonly Item[]): void {
    const [first, last] = [timeOf(items[0] as Item), timeOf(items.at(-1) as Item)];
    const widthMs = 2 * Math.abs(last - (after ?? first)) + FIRST_WIDTH_MS;
    const at = now();
    if (after !== undefined) lists.set(name, { ...lists.get(name), widthMs });
    else {
      lists.set(name, {
        ...lists.get(name),
        first: { bound: descending ? first - widthMs : first + widthMs, at },
      });
      if (name === whole) starts.set(whole, { from: first, widthMs, at });
    }
  }

  return async (list, { read, count, readWhole }) => {
    const known = lists.get(list.name) ?? {};
    const guess = guessOf(list, known);
    const few = async () =>
      (list.after === undefined && isFresh(known.first)) ||
      (await count(guess, MOST_SORTED + 1)) <= MOST_SORTED;
    const guessed = guess !== undefined && (await few()) ? await read(guess) : undefined;
    const bound = guessed?.more ? guess : await search(list, { read, count, readWhole });
    const page = guessed?.more ? guessed : await read(bound);
    if (page.more) learn(list, page.items);
    // Items were removed or changed since the search.
    return page.more || bound === undefined ? page : read(undefined);
  };
}

function guessOf({ descending, after }: TimedList<never>, { first, widthMs }: Known): number | undefined {
  if (after === undefined) return first?.bound;
  if (widthMs === undefined) return undefined;
  return descending ? after - widthMs : after + widthMs;
}
