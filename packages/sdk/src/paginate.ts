/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  /** The value for the next `updated_since`. Lists without `updated_since` lack it. */
  readonly updated_until?: string;
}

/** Reads the page at a cursor. undefined: the list has ended. */
export type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item> | undefined>;

/** A list that is read page by page, only as far as it is iterated. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The pages one after the other. */
  pages(): AsyncGenerator<Page<Item>, void, undefined>;
  /** The first page. */
  first(): Promise<Page<Item>>;
  /** All items, at most `max`. */
  toArray(options?: { readonly max?: number }): Promise<Item[]>;
}

const EMPTY = { data: [], next_cursor: null, has_more: false } as const;

/** A list from a function that reads one page. */
export function paginate<Item>(read: ReadPage<Item>): List<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page: Page<Item> | undefined = await read(cursor);
      if (page === undefined) return;
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of pages()) yield* data;
  }
  return {
    pages,
    [Symbol.asyncIterator]: items,
    first: async () => (await read(undefined)) ?? EMPTY,
    async toArray({ max = Number.POSITIVE_INFINITY } = {}) {
      const all: Item[] = [];
      if (max <= 0) return all;
      for await (const item of items()) if (all.push(item) >= max) break;
      return all;
    },
  };
}
