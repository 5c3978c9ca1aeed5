import { decodeExact } from '../bson/decode.ts';
import type { RawFields } from '../bson/raw-document.ts';
import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { findFirst } from '../plan/run-query.ts';
import { parseProjection } from '../query/projection.ts';
import { parseQuery } from '../query/query.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { updatedDocument } from '../update/apply-update.ts';
import { parseUpdate } from '../update/parse-update.ts';
import { type Command, namespaceOf, type Request } from './command.ts';
import { upsert } from './update.ts';
import { duplicateError } from './write-errors.ts';

/** `findAndModify` (manual, "findAndModify (database command)"). */
export const findAndModify: Command = {
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'arrayFilters',
  ],
  run(request, { catalog, now }) {
    const { body } = request;
    const namespace = namespaceOf(request);
    if (Array.isArray(body.arrayFilters) && body.arrayFilters.length > 0) throw notSupported('arrayFilters');
    checkCombination(body);
    if (body.remove === true) {
      const collection = catalog.collection(namespace);
      return collection ? removeFirst(collection, request) : nothingFound();
    }
    return modifyFirst(catalog.ensure(namespace), request, now());
  },
};

function checkCombination({ remove, update, new: returnNew, upsert: inserts }: Fields): void {
  if (remove !== true && update === undefined)
    throw new CommandError('FailedToParse', `Either an update or remove=true must be specified`);
  if (remove !== true) return;
  if (update !== undefined)
    throw new CommandError('FailedToParse', 'Cannot specify both an update and remove=true');
  if (inserts === true)
    throw new CommandError('FailedToParse', 'Cannot specify both upsert=true and remove=true');
  if (returnNew === true)
    throw new CommandError(
      'FailedToParse',
      `Cannot specify both new=true and remove=true; 'remove' always returns the deleted document`,
    );
}

function removeFirst(collection: Collection, { body, time }: Request): RawFields {
  const stored = findFirst(collection, parseQuery(body.query, 'query'), parseSort(body.sort), time);
  if (!stored) return nothingFound();
  const value = projected(stored.bytes, body);
  collection.remove(stored);
  return [
    ['lastErrorObject', { n: 1 }],
    ['value', value],
  ];
}

function modifyFirst(collection: Collection, { body, time }: Request, now: number): RawFields {
  const query = parseQuery(body.query, 'query');
  const change = parseUpdate(body.update, now);
  const sort = parseSort(body.sort);
  parseProjection(body.fields); // reject it before anything changes
  const stored = findFirst(collection, query, sort, time);
  if (!stored) {
    if (body.upsert !== true)
      return [
        ['lastErrorObject', { n: 0, updatedExisting: false }],
        ['value', null],
      ];
    const id = upsert(collection, { query, update: change });
    const inserted = body.new === true ? collection.findById(id) : undefined;
    return [
      ['lastErrorObject', { n: 1, updatedExisting: false, upserted: id }],
      ['value', inserted ? projected(inserted.bytes, body) : null],
    ];
  }
  const before = stored.bytes;
  const after = updatedDocument(before, change);
  const outcome = after && collection.replace(stored, { before, after: after.bytes });
  if (outcome?.status === 'duplicate') throw duplicateError(collection.namespace, outcome);
  return [
    ['lastErrorObject', { n: 1, updatedExisting: true }],
    ['value', projected(body.new === true ? stored.bytes : before, body)],
  ];
}

function projected(bytes: Buffer, { fields }: Fields): Fields {
  const document = decodeExact(bytes);
  const projection = isDocument(fields) ? parseProjection(fields) : null;
  return projection ? projection(document) : document;
}

function nothingFound(): RawFields {
  return [
    ['lastErrorObject', { n: 0 }],
    ['value', null],
  ];
}
