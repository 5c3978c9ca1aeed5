import { RawDocument, type RawFields } from '../bson/raw-document.ts';
import type { Fields } from '../bson/types.ts';
import { runQuery } from '../plan/run-query.ts';
import { parseQuery } from '../query/query.ts';
import type { Collection } from '../storage/collection.ts';
import type { StoredDocument } from '../storage/stored-document.ts';
import { updatedDocument } from '../update/apply-update.ts';
import { parseUpdate } from '../update/parse-update.ts';
import { type Command, namespaceOf, type Request } from './command.ts';
import { upsert } from './update.ts';
import { duplicateError } from './write-errors.ts';

/** `findAndModify` (manual, "findAndModify (database command)"). */
export const findAndModify: Command = {
  fields: ['query', 'remove', 'update', 'new', 'upsert'],
  run(request, { catalog, now }) {
    const namespace = namespaceOf(request);
    if (request.body.remove !== true) return modifyFirst(catalog.ensure(namespace), request, now());
    const collection = catalog.collection(namespace);
    const stored = collection && findFirst(collection, request);
    if (!stored) return reply({ n: 0 }, null);
    collection.remove(stored);
    return reply({ n: 1 }, stored.bytes);
  },
};

function findFirst(collection: Collection, { body }: Request): StoredDocument | undefined {
  const range = { sort: [], skip: 0, limit: 1 };
  return runQuery(collection, parseQuery(body.query, 'query'), range).documents[0];
}

function modifyFirst(collection: Collection, request: Request, now: number): RawFields {
  const { body } = request;
  const change = parseUpdate(body.update, now);
  const stored = findFirst(collection, request);
  if (!stored) {
    if (body.upsert !== true) return reply({ n: 0, updatedExisting: false }, null);
    const { id, bytes } = upsert(collection, { query: parseQuery(body.query, 'query'), update: change });
    return reply({ n: 1, updatedExisting: false, upserted: id }, body.new === true ? bytes : null);
  }
  const before = stored.bytes;
  const after = updatedDocument(before, change);
  const outcome = after && collection.replace(stored, { before, after: after.bytes });
  if (outcome?.status === 'duplicate') throw duplicateError(collection.namespace, outcome);
  return reply({ n: 1, updatedExisting: true }, body.new === true ? stored.bytes : before);
}

function reply(lastErrorObject: Fields, value: Buffer | null): RawFields {
  return [
    ['lastErrorObject', lastErrorObject],
    ['value', value && new RawDocument(value)],
  ];
}
