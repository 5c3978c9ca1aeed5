import type { Fields } from '../bson/types.ts';
import { valueKey } from '../order/value-key.ts';
import {
  createDocumentIndex,
  type DocumentIndex,
  entryKey,
  otherUnder,
  type StoredDocument,
} from './document-index.ts';
import { ID_INDEX, type IndexDefinition } from './index-definition.ts';
import { documentKeys, indexDecoder } from './index-keys.ts';

/** What a collection tells of its changes; the journal listens. */
export interface DocumentListener {
  /** `replaced` are the bytes that were there before. */
  readonly put: (namespace: string, bytes: Buffer, replaced: Buffer | null) => void;
  readonly remove: (namespace: string, id: unknown, bytes: Buffer) => void;
}

/** A unique index already holds the key. `document`: the indexed fields of the one that was refused. */
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
  insert(bytes: Buffer): WriteOutcome;
  /** Puts other bytes in place of a document that is in the collection, under the same `_id`. */
  replace(stored: StoredDocument, bytes: Buffer): WriteOutcome;
  remove(stored: StoredDocument): void;
  findById(id: unknown): StoredDocument | undefined;
  /** Builds an index; when a unique one finds duplicates nothing is built. */
  addIndex(definition: IndexDefinition): Duplicate | null;
  dropIndex(name: string): void;
  /** Another definition for the same entries, such as another expiry. */
  redefineIndex(definition: IndexDefinition): void;
}

interface PlannedEntries {
  readonly index: DocumentIndex;
  readonly keys: readonly string[];
  readonly multikey: boolean;
}

export function createCollection({
  namespace,
  listener,
}: {
  namespace: string;
  listener: DocumentListener;
}): Collection {
  const documents = new Set<StoredDocument>();
  const indexes = new Map<string, DocumentIndex>([[ID_INDEX.name, createDocumentIndex(ID_INDEX)]]);
  const idIndex = indexes.get(ID_INDEX.name) as DocumentIndex;
  let lastRecord = 0;
  const definitions = (): IndexDefinition[] => [...indexes.values()].map(({ definition }) => definition);
  /** Keys are always made from the bytes by one decoder, so that the keys to remove are the keys once inserted. */
  let decode = indexDecoder(definitions());

  /** Where a document stands in every index. Refuses what no index can hold. Changes nothing. */
  function entriesOf(bytes: Buffer): PlannedEntries[] {
    const document = decode(bytes);
    return [...indexes.values()].map((index) => ({ index, ...documentKeys(index.definition, document) }));
  }

  function unlink({ index, keys }: PlannedEntries, { record }: StoredDocument): void {
    for (const key of keys) index.entries.remove(entryKey(key, record));
  }

  function write(stored: StoredDocument, bytes: Buffer): WriteOutcome {
    const before = documents.has(stored) ? entriesOf(stored.bytes) : null;
    // An update mostly leaves what is indexed as it is, and then there is nothing to check or to move.
    const changed = entriesOf(bytes).flatMap((now, i) => {
      const was = before?.[i];
      return was && sameKeys(was.keys, now.keys) ? [] : [{ now, was }];
    });
    for (const { now } of changed) {
      const { definition } = now.index;
      if (definition.unique && now.keys.some((key) => otherUnder(now.index, key, stored.record)))
        return { status: 'duplicate', index: definition, document: decode(bytes) };
    }
    const replaced = before === null ? null : stored.bytes;
    stored.bytes = bytes;
    documents.add(stored);
    for (const { now, was } of changed) {
      if (was) unlink(was, stored);
      link(stored, now);
    }
    listener.put(namespace, bytes, replaced);
    return { status: 'written', stored };
  }

  function addIndex(definition: IndexDefinition): Duplicate | null {
    const index = createDocumentIndex(definition);
    const decodeIndexed = indexDecoder([definition]);
    for (const stored of documents) {
      const document = decodeIndexed(stored.bytes);
      const { keys, multikey } = documentKeys(definition, document);
      if (definition.unique && keys.some((key) => otherUnder(index, key, stored.record))) {
        return { status: 'duplicate', index: definition, document };
      }
      link(stored, { index, keys, multikey });
    }
    indexes.set(definition.name, index);
    decode = indexDecoder(definitions());
    return null;
  }

  return {
    namespace,
    documents,
    indexes,
    insert: (bytes) => write({ record: ++lastRecord, bytes }, bytes),
    replace: write,
    remove(stored) {
      const { _id: id } = decode(stored.bytes);
      for (const entries of entriesOf(stored.bytes)) unlink(entries, stored);
      documents.delete(stored);
      listener.remove(namespace, id, stored.bytes);
    },
    findById: (id) => otherUnder(idIndex, valueKey(id), -1),
    addIndex,
    dropIndex: (name) => {
      indexes.delete(name);
      decode = indexDecoder(definitions());
    },
    redefineIndex: (definition) => {
      const index = indexes.get(definition.name);
      if (index) indexes.set(definition.name, { ...index, definition });
    },
  };
}

function sameKeys(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((key, i) => key === others[i]);
}

function link(stored: StoredDocument, { index, keys, multikey }: PlannedEntries): void {
  for (const key of keys) index.entries.insert(entryKey(key, stored.record), stored);
  index.multikey ||= multikey;
}
