import { CommandError } from '../errors.ts';
import { type Collection, createCollection, type DocumentListener, type Duplicate } from './collection.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { MemoryAccount } from './memory-account.ts';

/** Changes of the catalog, for the journal. */
export interface ChangeListener extends DocumentListener {
  readonly created: (namespace: string) => void;
  readonly dropped: (namespace: string) => void;
  readonly indexed: (namespace: string, definition: IndexDefinition) => void;
  readonly unindexed: (namespace: string, name: string) => void;
}

/** All collections of all databases, by namespace (`database.collection`). */
export interface Catalog {
  readonly collections: ReadonlyMap<string, Collection>;
  collection(namespace: string): Collection | undefined;
  /** The collection, which is created if it is missing. Throws 73 InvalidNamespace for names that MongoDB rejects. */
  ensure(namespace: string): Collection;
  /** False if it did not exist. */
  drop(namespace: string): boolean;
  inDatabase(database: string): Collection[];
  createIndex(collection: Collection, definition: IndexDefinition): Duplicate | null;
  dropIndex(collection: Collection, name: string): void;
  redefineIndex(collection: Collection, definition: IndexDefinition): void;
}

export function createCatalog({
  listener,
  memory,
}: {
  listener: ChangeListener;
  memory: MemoryAccount;
}): Catalog {
  const collections = new Map<string, Collection>();

  function ensure(namespace: string): Collection {
    const existing = collections.get(namespace);
    if (existing) return existing;
    checkNamespace(namespace);
    const collection = createCollection({ namespace, listener, memory });
    collections.set(namespace, collection);
    listener.created(namespace);
    return collection;
  }

  return {
    collections,
    collection: (namespace) => collections.get(namespace),
    ensure,
    drop(namespace) {
      const collection = collections.get(namespace);
      if (!collection) return false;
      collections.delete(namespace);
      memory.add(-collection.bytes);
      listener.dropped(namespace);
      return true;
    },
    inDatabase: (database) =>
      [...collections.values()].filter(({ namespace }) => namespace.startsWith(`${database}.`)),
    createIndex(collection, definition) {
      const duplicate = collection.addIndex(definition);
      if (!duplicate) listener.indexed(collection.namespace, definition);
      return duplicate;
    },
    dropIndex(collection, name) {
      collection.dropIndex(name);
      listener.unindexed(collection.namespace, name);
    },
    redefineIndex(collection, definition) {
      collection.redefineIndex(definition);
      listener.indexed(collection.namespace, definition);
    },
  };
}

/** Manual, "MongoDB Limits and Thresholds", naming restrictions. */
function checkNamespace(namespace: string): void {
  const dot = namespace.indexOf('.');
  const database = namespace.slice(0, dot);
  const name = namespace.slice(dot + 1);
  const wrong =
    dot < 1 ||
    name === '' ||
    /[/\\. "$\0]/.test(database) ||
    database.length > 63 ||
    /[$\0]/.test(name) ||
    name.startsWith('.') ||
    name.startsWith('system.') ||
    Buffer.byteLength(namespace) > 255;
  if (wrong) throw new CommandError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
}
