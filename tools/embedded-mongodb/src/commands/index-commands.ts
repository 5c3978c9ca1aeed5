import { encodeDocument } from '../bson/raw-document.ts';
import { isDocument } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import type { Collection } from '../storage/collection.ts';
import {
  ID_INDEX,
  type IndexDefinition,
  parseIndexDefinition,
  sameKey,
  sameOptions,
} from '../storage/index-definition.ts';
import { type Command, countField, namespaceOf } from './command.ts';
import { duplicateError } from './write-errors.ts';

/** `createIndexes` (manual, "createIndexes"): creates all or none. An existing index stays unchanged. */
export const createIndexes: Command = {
  fields: ['indexes', 'commitQuorum'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const { indexes } = request.body;
    if (!Array.isArray(indexes) || indexes.length === 0)
      throw new CommandError('BadValue', 'Must specify at least one index to create');
    const definitions = indexes.map((specification: unknown) => {
      if (!isDocument(specification))
        throw new CommandError('TypeMismatch', 'The elements of the indexes array must be objects');
      return parseIndexDefinition(specification);
    });
    const createdCollection = !catalog.collection(namespace);
    const collection = catalog.ensure(namespace);
    const before = collection.indexes.size;
    const built: string[] = [];
    try {
      for (const definition of definitions.filter((wanted) => !isThere(collection, wanted))) {
        const duplicate = catalog.createIndex(collection, definition);
        if (duplicate) throw duplicateError(namespace, duplicate);
        built.push(definition.name);
      }
    } catch (error) {
      for (const name of built) catalog.dropIndex(collection, name);
      throw error;
    }
    return [
      ['numIndexesBefore', before],
      ['numIndexesAfter', collection.indexes.size],
      ['createdCollectionAutomatically', createdCollection],
      ...(built.length === 0 ? ([['note', 'all indexes already exist']] as const) : []),
    ];
  },
};

/** True if this index exists under this name. Throws 85 or 86 if another index has its name or key. */
function isThere(collection: Collection, wanted: IndexDefinition): boolean {
  if (sameKey(wanted, ID_INDEX)) return true;
  for (const { definition } of collection.indexes.values()) {
    const key = sameKey(definition, wanted);
    const options = sameOptions(definition, wanted);
    if (definition.name === wanted.name) {
      if (key && options) return true;
      throw new CommandError(
        key ? 'IndexOptionsConflict' : 'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. Requested index: ${JSON.stringify(wanted.specification)}, existing index: ${JSON.stringify(definition.specification)}`,
      );
    }
    const samePartial =
      valueKey(definition.specification.partialFilterExpression ?? null) ===
      valueKey(wanted.specification.partialFilterExpression ?? null);
    if (!key || !samePartial) continue;
    throw new CommandError(
      'IndexOptionsConflict',
      options
        ? `Index already exists with a different name: ${definition.name}`
        : `An equivalent index already exists with the same name but different options. Existing index: ${JSON.stringify(definition.specification)}`,
    );
  }
  return false;
}

export const listIndexes: Command = {
  fields: ['cursor', 'includeBuildUUIDs', 'includeIndexBuildInfo'],
  run(request, { catalog, cursors }) {
    const namespace = namespaceOf(request);
    const collection = catalog.collection(namespace);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const rows = [...collection.indexes.values()].map(({ definition }) =>
      encodeDocument(Object.entries(definition.specification)),
    );
    const { cursor } = request.body;
    const batchSize = isDocument(cursor) ? countField(cursor, 'batchSize') : undefined;
    return cursors.first(
      { namespace, count: rows.length, at: (i) => rows[i] as Buffer },
      batchSize ?? rows.length + 1,
      false,
    );
  },
};

/** `dropIndexes` (manual): by name, by key, a list of names, or `*` for all but `_id_`. */
export const dropIndexes: Command = {
  fields: ['index'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const collection = catalog.collection(namespace);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns not found ${namespace}`);
    const before = collection.indexes.size;
    for (const name of namesToDrop(collection, request.body.index)) catalog.dropIndex(collection, name);
    return [['nIndexesWas', before]];
  },
};

function namesToDrop(collection: Collection, wanted: unknown): string[] {
  if (wanted === '*') return [...collection.indexes.keys()].filter((name) => name !== ID_INDEX.name);
  if (Array.isArray(wanted))
    return wanted.flatMap((one: unknown) => (one === '*' ? [] : namesToDrop(collection, one)));
  const definitions = [...collection.indexes.values()].map(({ definition }) => definition);
  const found = definitions.find((definition) =>
    typeof wanted === 'string'
      ? definition.name === wanted
      : valueKey(definition.specification.key) === valueKey(wanted),
  );
  if (!found)
    throw new CommandError(
      'IndexNotFound',
      typeof wanted === 'string'
        ? `index not found with name [${wanted}]`
        : `can't find index with key: ${JSON.stringify(wanted)}`,
    );
  if (found.name === ID_INDEX.name) throw new CommandError('InvalidOptions', 'cannot drop _id index');
  return [found.name];
}
