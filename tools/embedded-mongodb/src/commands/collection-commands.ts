import { encodeDocument } from '../bson/raw-document.ts';
import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { matches } from '../query/filter.ts';
import { parseQuery } from '../query/query.ts';
import { type Command, countField, namespaceOf } from './command.ts';

/** `create`: creates a plain collection. Rejects capped collections, time series, views and validators by name. */
export const create: Command = {
  fields: [
    'autoIndexId',
    'capped',
    'size',
    'max',
    'validator',
    'validationLevel',
    'validationAction',
    'collation',
    'viewOn',
    'pipeline',
    'timeseries',
    'expireAfterSeconds',
    'clusteredIndex',
    'changeStreamPreAndPostImages',
    'storageEngine',
    'indexOptionDefaults',
    'encryptedFields',
  ],
  run(request, { catalog }) {
    const { body, name } = request;
    const namespace = namespaceOf(request);
    const refused = create.fields.find(
      (field) => body[field] !== undefined && body[field] !== false && field !== 'autoIndexId',
    );
    if (refused) throw notSupported(`the option ${name}.${refused}`);
    if (catalog.collection(namespace))
      throw new CommandError('NamespaceExists', `Collection ${namespace} already exists.`);
    catalog.ensure(namespace);
    return [];
  },
};

/** `drop`: also returns ok if there was no such collection, like MongoDB 7. */
export const drop: Command = {
  fields: [],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const indexes = catalog.collection(namespace)?.indexes.size;
    if (!catalog.drop(namespace)) return [];
    return [
      ['nIndexesWas', indexes],
      ['ns', namespace],
    ];
  },
};

export const dropDatabase: Command = {
  fields: [],
  run({ database }, { catalog }) {
    for (const { namespace } of catalog.inDatabase(database)) catalog.drop(namespace);
    return [['dropped', database]];
  },
};

export const listCollections: Command = {
  fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run({ body, database }, { catalog, cursors }) {
    const { filter } = parseQuery(body.filter, 'filter');
    const rows = catalog
      .inDatabase(database)
      .map(({ namespace }): Fields => {
        const name = namespace.slice(database.length + 1);
        const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
        return body.nameOnly === true
          ? { name, type: 'collection' }
          : { name, type: 'collection', options: {}, info: { readOnly: false }, idIndex };
      })
      .filter((row) => matches(filter, row))
      .map((row) => encodeDocument(Object.entries(row)));
    const results = {
      namespace: `${database}.$cmd.listCollections`,
      count: rows.length,
      at: (i: number) => rows[i] as Buffer,
    };
    const batchSize = isDocument(body.cursor) ? countField(body.cursor, 'batchSize') : undefined;
    return cursors.first(results, batchSize ?? rows.length + 1, false);
  },
};

export const listDatabases: Command = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ body }, { catalog }) {
    const { filter } = parseQuery(body.filter, 'filter');
    const sizes = new Map<string, number>();
    for (const { namespace, documents } of catalog.collections.values()) {
      const name = namespace.slice(0, namespace.indexOf('.'));
      let size = sizes.get(name) ?? 0;
      for (const { bytes } of documents) size += bytes.length;
      sizes.set(name, size);
    }
    const databases = [...sizes]
      .map(
        ([name, size]): Fields =>
          body.nameOnly === true ? { name } : { name, sizeOnDisk: size, empty: false },
      )
      .filter((row) => matches(filter, row));
    return [
      ['databases', databases],
      ['totalSize', [...sizes.values()].reduce((sum, size) => sum + size, 0)],
    ];
  },
};
