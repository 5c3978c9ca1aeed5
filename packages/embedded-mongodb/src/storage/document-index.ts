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
  /** A unique index's documents by their keys: quicker than a search, and most that is asked for is asked for so. */
  readonly byKey: Map<string, StoredDocument> | null;
  /** Some document has an array in an indexed field: one document may stand under several keys. */
  multikey: boolean;
}

/** Comes between a key and its record number. */
const SEPARATOR = '\x04';

export function createDocumentIndex(definition: IndexDefinition): DocumentIndex {
  return {
    definition,
    entries: createOrderedEntries(),
    byKey: definition.unique ? new Map() : null,
    multikey: false,
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
