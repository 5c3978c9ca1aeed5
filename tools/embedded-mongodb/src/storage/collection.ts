import type { Fields } from '../bson/types.ts';
import { valueKey } from '../order/value-key.ts';
import { createDocumentIndex, type DocumentIndex, entryKey } from './document-index.ts';
import { ID_INDEX, type IndexDefinition } from './index-definition.ts';
import { type DocumentKeys, indexKeys } from './index-keys.ts';
import { ENTRY_BYTES, type MemoryAccount } from './memory-account.ts';
import { StoredDocument } from './stored-document.ts';

/** Changes of a collection, for the journal. */
export interface DocumentListener {
  readonly put: (namespace: string, bytes: Buffer) => void;
  readonly remove: (namespace: string, id: unknown) => void;
}

/** A unique index already has the key. `document` contains the indexed fields of the rejected document. */
export interface Duplicate {
  readonly status: 'duplicate';
  readonly index: IndexDefinition;
  readonly document: Fields;
}

export type WriteOutcome = { readonly status: 'written'; readonly stored: StoredDocument } | Duplicate;

/** Documents in their natural order and the indexes on them. All bytes passed are checked documents with their `_id` first. */
export interface Collection {
  readonly namespace: string;
  readonly documents: ReadonlySet<StoredDocument>;
  readonly indexes: ReadonlyMap<string, DocumentIndex>;
  /** Approximate memory of documents and indexes. Bytes. */
  readonly bytes: number;
  /** Throws 14031 OutOfDiskSpace if documents already use all allowed memory. */
  insert(bytes: Buffer): WriteOutcome;
  /** Replaces the bytes of a stored document under the same `_id`. Longer bytes may throw like `insert`. */
  replace(stored: StoredDocument, bytes: { readonly before: Buffer; readonly after: Buffer }): WriteOutcome;
  remove(stored: StoredDocument): void;
  findById(id: unknown): StoredDocument | undefined;
  /** Builds an index. If a unique one finds duplicates, it builds nothing. */
  addIndex(definition: IndexDefinition): Duplicate | null;
  dropIndex(name: string): void;
  /** Replaces the definition for the same entries, such as its expiry. */
  redefineIndex(definition: IndexDefinition): void;
}

/** Current or planned entries of a document in an index. */
interface PlannedEntries extends DocumentKeys {
  readonly index: DocumentIndex;
}

export function createCollection({
  namespace,
  listener,
  memory,
}: {
  namespace: string;
  listener: DocumentListener;
  memory: MemoryAccount;
}): Collection {
  const documents = new Set<StoredDocument>();
  const indexes = new Map<string, DocumentIndex>([[ID_INDEX.name, createDocumentIndex(ID_INDEX)]]);
  const idIndex = indexes.get(ID_INDEX.name) as DocumentIndex;
  let lastRecord = 0;
  let indexed = indexKeysNow();

  function indexKeysNow() {
    const ordered = [...indexes.values()];
    return { ordered, ...indexKeys(ordered.map(({ definition }) => definition)) };
  }

  /** Entries of a document in every index. Throws for a document that an index cannot contain. Changes nothing. */
  function entriesOf(bytes: Buffer): PlannedEntries[] {
    const { ordered, keysOf } = indexed;
    return keysOf(bytes).map(({ keys, arrayField }, i) => ({
      index: ordered[i] as DocumentIndex,
      keys,
      arrayField,
    }));
  }

  /** The conflict of these entries with a unique index. */
  function duplicateAmong(
    entries: readonly PlannedEntries[],
    stored: StoredDocument,
    bytes: Buffer,
  ): Duplicate | null {
    for (const { index, keys } of entries) {
      if (index.definition.unique && keys.some((key) => isTaken(index, key, stored)))
        return { status: 'duplicate', index: index.definition, document: indexed.decode(bytes) };
    }
    return null;
  }

  function link(stored: StoredDocument, entries: readonly PlannedEntries[]): void {
    for (const planned of entries) memory.add(enter(stored, planned));
  }

  function unlink(stored: StoredDocument, entries: readonly PlannedEntries[]): void {
    for (const planned of entries) memory.add(-leave(stored, planned));
  }

  function insert(bytes: Buffer): WriteOutcome {
    memory.demandRoom();
    const stored = new StoredDocument(++lastRecord, bytes);
    const entries = entriesOf(bytes);
    const duplicate = duplicateAmong(entries, stored, bytes);
    if (duplicate) return duplicate;
    documents.add(stored);
    memory.add(bytes.length);
    link(stored, entries);
    listener.put(namespace, bytes);
    return { status: 'written', stored };
  }

  function replace(
    stored: StoredDocument,
    { before, after }: { readonly before: Buffer; readonly after: Buffer },
  ): WriteOutcome {
    if (after.length > before.length) memory.demandRoom();
    // Most updates leave the indexed fields unchanged, so there is nothing to check or move.
    if (!indexed.sameKeys(before, after)) {
      const left = entriesOf(before);
      const entered = entriesOf(after);
      const isMoved = (_: PlannedEntries, i: number): boolean =>
        !sameTexts(left[i]?.keys ?? [], entered[i]?.keys ?? []);
      const moved = entered.filter(isMoved);
      const duplicate = duplicateAmong(moved, stored, after);
      if (duplicate) return duplicate;
      unlink(stored, left.filter(isMoved));
      link(stored, moved);
    }
    stored.rewrite(after);
    memory.add(after.length - before.length);
    listener.put(namespace, after);
    return { status: 'written', stored };
  }

  function addIndex(definition: IndexDefinition): Duplicate | null {
    const index = createDocumentIndex(definition);
    const { keysOf, decode } = indexKeys([definition]);
    for (const stored of documents) {
      const bytes = stored.bytes;
      const [made] = keysOf(bytes);
      const { keys, arrayField } = made as DocumentKeys;
      if (definition.unique && keys.some((key) => isTaken(index, key, stored)))
        return { status: 'duplicate', index: definition, document: decode(bytes) };
      enter(stored, { index, keys, arrayField });
    }
    memory.add(index.bytes);
    indexes.set(definition.name, index);
    indexed = indexKeysNow();
    return null;
  }

  return {
    namespace,
    documents,
    indexes,
    get bytes() {
      let bytes = 0;
      for (const index of indexes.values()) bytes += index.bytes;
      for (const { size } of documents) bytes += size;
      return bytes;
    },
    insert,
    replace,
    remove(stored) {
      const bytes = stored.bytes;
      const { _id: id } = indexed.decode(bytes);
      unlink(stored, entriesOf(bytes));
      documents.delete(stored);
      memory.add(-bytes.length);
      listener.remove(namespace, id);
    },
    findById: (id) => idIndex.byKey?.get(valueKey(id)),
    addIndex,
    dropIndex: (name) => {
      memory.add(-(indexes.get(name)?.bytes ?? 0));
      indexes.delete(name);
      indexed = indexKeysNow();
    },
    redefineIndex: (definition) => {
      const index = indexes.get(definition.name);
      if (!index) return;
      indexes.set(definition.name, { ...index, definition });
      indexed = indexKeysNow();
    },
  };
}

function isTaken(index: DocumentIndex, key: string, by: StoredDocument): boolean {
  const there = index.byKey?.get(key);
  return there !== undefined && there !== by;
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i]);
}

/** Adds a document to an index. Returns the added memory in bytes. */
function enter(stored: StoredDocument, { index, keys, arrayField }: PlannedEntries): number {
  let bytes = 0;
  for (const key of keys) {
    index.entries.insert(entryKey(index, key, stored.record), stored);
    index.byKey?.set(key, stored);
    bytes += key.length + ENTRY_BYTES;
  }
  if (arrayField !== undefined) index.arrayFields.add(arrayField);
  index.bytes += bytes;
  return bytes;
}

/** Removes a document from an index. Returns the freed memory in bytes. */
function leave({ record }: StoredDocument, { index, keys }: PlannedEntries): number {
  let bytes = 0;
  for (const key of keys) {
    index.entries.remove(entryKey(index, key, record));
    index.byKey?.delete(key);
    bytes += key.length + ENTRY_BYTES;
  }
  index.bytes -= bytes;
  return bytes;
}
