import { serialize } from 'bson';
import { isDocument } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import {
  ID_INDEX,
  type IndexDefinition,
  parseIndexDefinition,
  sameKey,
  sameOptions,
} from '../storage/index-definition.ts';
import { type Command, namespaceOf } from './command.ts';
import { wholeReply } from './cursors.ts';
import { duplicateError } from './write-errors.ts';

/** `createIndexes` (manual, "createIndexes"): creates all or none. An existing index stays unchanged. */
export const createIndexes: Command = {
  fields: ['indexes'],
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
    const collection = catalog.ensure(namespace);
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
    return [];
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
    if (key && options)
      throw new CommandError(
        'IndexOptionsConflict',
        `Index already exists with a different name: ${definition.name}`,
      );
  }
  return false;
}

export const listIndexes: Command = {
  fields: ['cursor'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const collection = catalog.collection(namespace);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const rows = [...collection.indexes.values()].map(({ definition }) =>
      serialize(definition.specification),
    );
    return wholeReply(namespace, rows);
  },
};

/** `dropIndexes` (manual), by name only. */
export const dropIndexes: Command = {
  fields: ['index'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const collection = catalog.collection(namespace);
    const name = String(request.body.index);
    if (!collection?.indexes.has(name))
      throw new CommandError('IndexNotFound', `index not found with name [${name}] in ${namespace}`);
    if (name === ID_INDEX.name) throw new CommandError('InvalidOptions', 'cannot drop _id index');
    catalog.dropIndex(collection, name);
    return [];
  },
};
