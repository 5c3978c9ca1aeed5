/** One page of a list. `more`: further items follow. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

/**
 * Limit of a page in bytes of JSON. An event that 0.1.0 stored may take a quarter of it, because its
 * `url` had no limit. MongoDB sends at most one further batch (16 MiB).
 */
export const PAGE_BYTES = 1024 * 1024;

/**
 * Reads a page of at most `limit` items (at least 1) and PAGE_BYTES. The first item is always included, even if it is
 * larger. The cursor must offer one item more than `limit`, if there is one. It is closed. `bytesOf` is for items whose JSON
 * is costly to make.
 */
export async function readPage<Document, Item>(
  cursor: AsyncIterable<Document> | Iterable<Document>,
  limit: number,
  read: (document: Document) => Item,
  bytesOf: (item: Item) => number = (item) => Buffer.byteLength(JSON.stringify(item)),
): Promise<Page<Item>> {
  const items: Item[] = [];
  let bytes = 0;
  for await (const document of cursor) {
    const item = read(document);
    bytes += bytesOf(item);
    const full = items.length === limit || bytes > PAGE_BYTES;
    if (full && items.length > 0) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}
