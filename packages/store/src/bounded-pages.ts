import type { Page } from './read-page.ts';

/** A list that is sorted by a time. */
export interface TimedList<Item> {
  /** Equal for two requests of the same list: its account, filter and order. */
  readonly name: string;
  readonly descending: boolean;
  /** The time of the last item of the previous page, or before which no item lies. Milliseconds since the Unix epoch. */
  readonly after: number | undefined;
  readonly timeOf: (item: Item) => number;
}

/**
 * Reads a page of the items up to a bound: not older if the list is descending, not newer if it is ascending. Undefined: no
 * bound.
 */
export type ReadUpTo<Item> = (bound: number | undefined) => Promise<Page<Item>>;

export type BoundedPages<Item> = (list: TimedList<Item>, read: ReadUpTo<Item>) => Promise<Page<Item>>;

/** The first width, and how much wider each next one is. A page of 50 reads at most 1,600 items in vain. */
const [FIRST_WIDTH_MS, WIDER] = [1000, 32];
/** Wider than this is no bound. */
const WIDEST_MS = 40 * 365 * 86_400_000;
const MOST_LISTS = 1000;

/** The end of the last page of a list. */
interface Known {
  /** The bound of the first page. */
  first?: number;
  /** The width of later pages. */
  widthMs?: number;
}

/**
 * Reads pages for engines that sort everything that a filter selects, but use an index for a range of the sorted time. The
 * bound is moved until the page is full. Each list remembers how far its last page reached, so most pages take one query.
 */
export function createBoundedPages<Item>(now: () => number = Date.now): BoundedPages<Item> {
  const lists = new Map<string, Known>();

  function knownOf(name: string): Known {
    const known = lists.get(name) ?? {};
    if (lists.size >= MOST_LISTS) lists.clear();
    lists.set(name, known);
    return known;
  }

  return async (list, read) => {
    const known = knownOf(list.name);
    for (const bound of boundsOf(list, known, now())) {
      const page = await read(bound);
      if (page.more) learn(known, list, page.items);
      if (page.more || bound === undefined) return page;
    }
    throw new Error('the last bound is undefined');
  };
}

/** Remembers twice as far as a page reached, because a full page is known by one more item. */
function learn<Item>(
  known: Known,
  { descending, after, timeOf }: TimedList<Item>,
  items: readonly Item[],
): void {
  const last = timeOf(items.at(-1) as Item);
  const width = Math.abs(last - (after ?? timeOf(items[0] as Item)));
  if (after !== undefined) known.widthMs = 2 * width + FIRST_WIDTH_MS;
  else known.first = descending ? last - width - FIRST_WIDTH_MS : last + width + FIRST_WIDTH_MS;
}

/** Bounds that are further and further away. The last one is undefined. */
function* boundsOf(
  { descending, after }: Pick<TimedList<never>, 'descending' | 'after'>,
  { first, widthMs }: Known,
  now: number,
): Generator<number | undefined> {
  if (after === undefined && first !== undefined) yield first;
  // The time of the oldest item is not known, so an ascending list has no bound yet.
  const from = after ?? (descending ? now : undefined);
  if (from !== undefined) {
    const start = after === undefined ? FIRST_WIDTH_MS : (widthMs ?? FIRST_WIDTH_MS);
    for (let width = start; width < WIDEST_MS; width *= WIDER) {
      const bound = descending ? from - width : from + width;
      if (after !== undefined || first === undefined || bound < first) yield bound;
    }
  }
  yield undefined;
}
