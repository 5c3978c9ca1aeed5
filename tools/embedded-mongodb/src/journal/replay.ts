import { fieldsDecoder } from '../bson/decode-fields.ts';
import { pack, unpack } from '../bson/packed.ts';
import type { Fields } from '../bson/types.ts';
import { valueKey } from '../order/value-key.ts';
import type { Catalog } from '../storage/catalog.ts';
import { parseIndexDefinition } from '../storage/index-definition.ts';
import type { Change } from './record.ts';

/** A collection as read from the journal. */
interface Replayed {
  /** Packed; by the key of the `_id`, in natural order. */
  readonly documents: Map<string, string>;
  /** Specifications by name. */
  readonly indexes: Map<string, Fields>;
}

/** The state after the changes read so far. */
export interface Replay {
  apply(change: Change): void;
  /** Fills an empty catalog. */
  fill(catalog: Catalog): void;
}

/**
 * Collects changes before anything is indexed. A journal that an earlier version compacted begins with documents from slightly
 * different moments, so two of them may have one unique key. At the end of the journal they do not.
 */
export function createReplay(): Replay {
  const collections = new Map<string, Replayed>();

  function collection(namespace: string): Replayed {
    const existing = collections.get(namespace);
    if (existing) return existing;
    const created: Replayed = { documents: new Map(), indexes: new Map() };
    collections.set(namespace, created);
    return created;
  }

  function apply(change: Change): void {
    const { namespace } = change;
    switch (change.kind) {
      case 'put':
        collection(namespace).documents.set(idKeyOf(change.bytes), pack(change.bytes));
        break;
      case 'remove':
        collection(namespace).documents.delete(valueKey(change.id));
        break;
      case 'created':
        collection(namespace);
        break;
      case 'dropped':
        collections.delete(namespace);
        break;
      case 'indexed':
        collection(namespace).indexes.set(String(change.specification.name), change.specification);
        break;
      case 'unindexed':
        collection(namespace).indexes.delete(change.name);
        break;
    }
  }

  return { apply, fill: (catalog) => fill(catalog, collections) };
}

function fill(catalog: Catalog, collections: Map<string, Replayed>): void {
  for (const [namespace, { documents, indexes }] of collections) {
    const filled = catalog.ensure(namespace);
    for (const specification of indexes.values()) {
      catalog.createIndex(filled, parseIndexDefinition(specification));
    }
    for (const [key, packed] of documents) {
      documents.delete(key); // frees memory
      const outcome = filled.insert(unpack(packed));
      if (outcome.status === 'written') continue;
      throw new Error(
        `two documents of ${namespace} hold the same key of the unique index ${outcome.index.name}`,
      );
    }
  }
  collections.clear();
}

const decodeId = fieldsDecoder(new Set(['_id']));

/** The key of a document's `_id`. */
function idKeyOf(bytes: Buffer): string {
  return valueKey(decodeId(bytes)._id);
}
