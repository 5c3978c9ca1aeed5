import { createOrderedEntries, type OrderedEntries } from '../order/ordered-entries.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { StoredDocument } from './stored-document.ts';

/** An index with its entries. */
export interface DocumentIndex {
  readonly definition: IndexDefinition;
  readonly entries: OrderedEntries<StoredDocument>;
  /** A unique index's documents by their keys: quicker than a search, and most that is asked for is asked for so. */
  readonly byKey: Map<string, StoredDocument> | null;
  /** Some document has an array in an indexed field: one document may stand under several keys. */
  multikey: boolean;
  /** Memory that its entries take, about. */
  bytes: number;
}

/** Comes between a key and its record number. */
const SEPARATOR = '\x04';

export function createDocumentIndex(definition: IndexDefinition): DocumentIndex {
  const byKey = definition.unique ? new Map<string, StoredDocument>() : null;
  const entries = byKey === null ? createOrderedEntries<StoredDocument>() : orderedWhenAsked(byKey);
  return { definition, entries, byKey, multikey: false, bytes: 0 };
}

/**
 * The order of a unique index, made once somebody asks for a range of it and kept from then on. Mostly nobody does: what
 * is looked for by its `_id` is in the Map, and to put random ids in order is what costs an index most.
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
 * Under what a document stands among an index's entries: each has a key of its own, and equal keys of documents stand in
 * the order of their records. In a unique index no two are equal, and the key alone is one string less for each document.
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
