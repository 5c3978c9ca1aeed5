import { serialize } from 'bson';
import { decodeExact } from '../bson/decode.ts';
import { unpack } from '../bson/packed.ts';
import type { Fields } from '../bson/types.ts';
import { type QueryRange, runQuery } from '../plan/run-query.ts';
import { type Projection, parseProjection } from '../query/projection.ts';
import { parseQuery, type Query } from '../query/query.ts';
import { parseSort } from '../query/sort.ts';
import type { StoredDocument } from '../storage/stored-document.ts';
import { type Command, countField, namespaceOf } from './command.ts';
import type { Results } from './cursors.ts';

/** A find as the planner accepts it. explain parses the same. */
export interface FindQuery {
  readonly query: Query;
  readonly range: QueryRange;
  readonly projection: Projection | null;
}

/** `find` (manual, "find (database command)"). */
export const find: Command = {
  fields: ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch'],
  run(request, { catalog, cursors }) {
    const namespace = namespaceOf(request);
    const { query, range, projection } = parseFind(request.body);
    const batchSize = countField(request.body, 'batchSize');
    const collection = catalog.collection(namespace);
    const documents = collection ? runQuery(collection, query, range).documents : [];
    return cursors.first(
      projected(namespace, documents, projection),
      batchSize,
      request.body.singleBatch === true,
    );
  },
};

export function parseFind(body: Fields): FindQuery {
  return {
    query: parseQuery(body.filter, 'filter'),
    range: {
      sort: parseSort(body.sort),
      skip: countField(body, 'skip') ?? 0,
      limit: countField(body, 'limit') ?? 0,
    },
    projection: parseProjection(body.projection),
  };
}

/** Without a projection the stored bytes are the result. They are copied now, so a later update does not show. */
function projected(
  namespace: string,
  documents: readonly StoredDocument[],
  projection: Projection | null,
): Results {
  const packed = documents.map((stored) => stored.packed);
  const at = (index: number): Uint8Array => {
    const document = unpack(packed[index] as string);
    return projection ? serialize(projection(decodeExact(document))) : document;
  };
  return { namespace, count: packed.length, at };
}
