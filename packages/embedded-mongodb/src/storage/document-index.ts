import { createOrderedEntries, type OrderedEntries } from '../order/ordered-entries.ts';
import type { IndexDefinition } from './index-definition.ts';

/** A document as it is kept: its encoded bytes never change, an update puts others in their place. */
export interface StoredDocument {
  /** Position in the natural order of the collection; an update keeps it. */
  readonly record: number;
  bytes: Buffer;
}

/** An index with its entries. */
export interface DocumentIndex {
  readonly definition: IndexDefinition;
  readonly entries: OrderedEntries<StoredDocument>;
  /** Some document has an array in an indexed field: one document may stand under several keys. */
  multikey: boolean;
}

/** Comes between a key and its record number. */
const SEPARATOR = '\x04';
const AFTER_SEPARATOR = '\x05';

export function createDocumentIndex(definition: IndexDefinition): DocumentIndex {
  return { definition, entries: createOrderedEntries(), multikey: false };
}

/** The key of one entry: equal keys stand in the order of their records, and each entry has its own. */
export function entryKey(key: string, record: number): string {
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

/** The document that stands under exactly this key, other than the one with the given record; for unique indexes. */
export function otherUnder(index: DocumentIndex, key: string, record: number): StoredDocument | undefined {
  for (const [, stored] of index.entries.range(key + SEPARATOR, key + AFTER_SEPARATOR)) {
    if (stored.record !== record) return stored;
  }
  return undefined;
}
