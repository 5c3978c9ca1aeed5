import { serialize } from 'bson';
import { matches } from '../query/filter.ts';
import { parseQuery } from '../query/query.ts';
import { type Command, namespaceOf } from './command.ts';
import { wholeReply } from './cursors.ts';

/** `create`: a plain collection, which mongoose may create before it is used. */
export const create: Command = {
  fields: [],
  run(request, { catalog }) {
    catalog.ensure(namespaceOf(request));
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
  run({ body, database }, { catalog }) {
    const { filter } = parseQuery(body.filter, 'filter');
    const rows = catalog
      .inDatabase(database)
      .map(({ namespace }) => ({ name: namespace.slice(database.length + 1), type: 'collection' }))
      .filter((row) => matches(filter, row));
    return wholeReply(
      `${database}.$cmd.listCollections`,
      rows.map((row) => serialize(row)),
    );
  },
};
