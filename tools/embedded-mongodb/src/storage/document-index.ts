import { createOrderedEntries, type OrderedEntries } from '../order/ordered-entries.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { StoredDocument } from './stored-document.ts';

/** An index with its entries. */
export interface DocumentIndex {
  readonly definition: IndexDefinition;
  readonly entries: OrderedEntries<StoredDocument>;
  /** Documents of a unique index by their keys. This is faster than a search, and most queries use it. */
  readonly byKey: Map<string, StoredDocument> | null;
  /** The indexed fields in which a document has an array, so that it may have several keys. Like MongoDB's multikey paths. */
  readonly arrayFields: Set<string>;
  /** Approximate memory of its entries. Bytes. */
  bytes: number;
}

/** Separates a key from its record number. */
const SEPARATOR = '\x04';

export function createDocumentIndex(definition: IndexDefinition): DocumentIndex {
  const byKey = definition.unique ? new Map<string, StoredDocument>() : null;
  const entries = byKey === null ? createOrderedEntries<StoredDocument>() : orderedWhenAsked(byKey);
  return { definition, entries, byKey, arrayFields: new Set(), bytes: 0 };
}

/**
 * The order of a unique index. It is built for the first range query and kept from then on. Most indexes never need it:
 * queries by `_id` use the Map, and sorting random ids is the largest cost of an index.
 */
function orderedWhenAsked<T>(byKey: ReadonlyMap<string, T>): OrderedEntries<T> {
  let ordered: OrderedEntries<T> | null = null;
  function inOrder(): OrderedEntries<T> {
    const made = createOrderedEntries<T>();
    for (const key of [...byKey.keys()].sort()) made.insert(key, byKey.get(key) as T);
    return made;
  }
  return {
    get size() {
      return byKey.size;
    },
    insert: (key, value) => ordered?.insert(key, value),
    remove: (key) => ordered?.remove(key) ?? byKey.has(key),
    range(from, to, reverse) {
      ordered ??= inOrder();
      return ordered.range(from, to, reverse);
    },
  };
}

/**
 * The key of a document among an index's entries. Each entry has a different one: equal keys get the number of their
 * record, and so are in the order of the records. A unique index needs only the key, which saves a string a document.
 */
export function entryKey({ byKey }: DocumentIndex, key: string, record: number): string {
  if (byKey !== null) return key;
  const high = Math.floor(record / 0x1000000);
  return (
    key +
    SEPARATOR +
    String.fromCharCode(
      high >>> 16,
      (high >>> 8) & 255,
      high & 255,
      (record >>> 16) & 255,
      (record >>> 8) & 255,
      record & 255,
    )
  );
}
