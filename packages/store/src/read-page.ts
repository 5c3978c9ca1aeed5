/** One page of a list. `more`: further items follow behind the last one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

/**
 * Bytes of JSON that a page takes. A single event may take a quarter of it: earlier versions had no limit for `url`. From
 * MongoDB comes one batch more at most (16 MiB).
 */
export const PAGE_BYTES = 1024 * 1024;

/**
 * Reads a page of `limit` items (at least 1) and PAGE_BYTES at most. One item is always taken, whatever its size. The cursor
 * has to offer one item more than `limit`, if there is one, and is closed.
 */
export async function readPage<Document, Item>(
  cursor: AsyncIterable<Document>,
  limit: number,
  read: (document: Document) => Item,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let bytes = 0;
  for await (const document of cursor) {
    const item = read(document);
    bytes += Buffer.byteLength(JSON.stringify(item));
    const full = items.length === limit || bytes > PAGE_BYTES;
    if (full && items.length > 0) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}
