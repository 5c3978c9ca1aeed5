import { decodeExact } from '../bson/decode.ts';
import { DOCUMENT, elementEnd, FIRST_ELEMENT, isNamed, valueStart } from '../bson/elements.ts';
import type { Fields } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { EVERYTHING, runQuery } from '../plan/run-query.ts';
import { parseQuery, type Query } from '../query/query.ts';
import type { Collection } from '../storage/collection.ts';
import type { IdentifiedDocument } from '../storage/new-document.ts';
import { updatedDocument, upsertedDocument } from '../update/apply-update.ts';
import { asEncodedReplacement, type EncodedReplacement } from '../update/encoded-replacement.ts';
import { parseUpdate, type Update } from '../update/parse-update.ts';
import { type Command, documentsField, namespaceOf, refuseFields } from './command.ts';
import { checkBatch } from './insert.ts';
import { duplicateError, runStatements, writeErrorsField } from './write-errors.ts';

interface Statement {
  readonly query: Query;
  readonly update: Update | EncodedReplacement;
  readonly multi: boolean;
  readonly upsert: boolean;
}

interface Counts {
  matched: number;
  modified: number;
  readonly upserted: { index: number; _id: unknown }[];
}

/** `update` (manual, "update (database command)"). */
export const update: Command = {
  fields: ['updates', 'ordered'],
  run(request, { catalog, now }) {
    const namespace = namespaceOf(request);
    const statements = documentsField(request, 'updates', {
      fields: (fields): Given => ({ fields, replacement: null }),
      bytes: readStatement,
    });
    checkBatch(statements.length);
    const collection = catalog.ensure(namespace);
    const counts: Counts = { matched: 0, modified: 0, upserted: [] };
    const errors = runStatements(statements.length, request.body.ordered !== false, (index) => {
      const statement = parseStatement(statements[index]?.() ?? { fields: {}, replacement: null }, now());
      runStatement(collection, statement, { counts, index });
    });
    return [
      ['n', counts.matched + counts.upserted.length],
      ['nModified', counts.modified],
      ...(counts.upserted.length > 0 ? ([['upserted', counts.upserted]] as const) : []),
      ...writeErrorsField(errors),
    ];
  },
};

/** A statement of the client. Its fields omit a replacement. */
interface Given {
  readonly fields: Fields;
  readonly replacement: EncodedReplacement | null;
}

const UPDATE_NAME = Buffer.from('u\0');

/** Decodes a statement except for a replacement, which is most of it and may be stored unchanged. */
function readStatement(bytes: Buffer): Given {
  for (let at = FIRST_ELEMENT; at < bytes.length - 1; ) {
    const value = valueStart(bytes, at);
    const end = elementEnd(bytes, at, value);
    if (end < 0) break;
    if (bytes[at] === DOCUMENT && isNamed(bytes, at, value, UPDATE_NAME)) {
      const replacement = asEncodedReplacement(bytes.subarray(value, end));
      if (replacement) return { fields: decodeExact(without(bytes, at, end)), replacement };
      break;
    }
    at = end;
  }
  return { fields: decodeExact(bytes), replacement: null };
}

/** An encoded document without the element at this range. */
function without(bytes: Buffer, from: number, to: number): Buffer {
  const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  rest.writeInt32LE(rest.length, 0);
  return rest;
}

function parseStatement({ fields, replacement }: Given, now: number): Statement {
  const { q, u, multi: many, upsert: inserts, ...others } = fields;
  refuseFields('update.updates', others);
  const multi = many === true;
  const parsed = replacement ?? parseUpdate(u, now);
  if (multi && parsed.kind !== 'operators')
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update');
  return {
    query: parseQuery(q, 'q'),
    update: parsed,
    multi,
    upsert: inserts === true,
  };
}

function runStatement(
  collection: Collection,
  statement: Statement,
  { counts, index }: { counts: Counts; index: number },
): void {
  const { query, multi } = statement;
  const matched = runQuery(collection, query, { ...EVERYTHING, limit: multi ? 0 : 1 }).documents;
  for (const stored of matched) {
    const before = stored.bytes;
    const after = updatedDocument(before, statement.update);
    if (after) {
      const outcome = collection.replace(stored, { before, after: after.bytes });
      if (outcome.status === 'duplicate') throw duplicateError(collection.namespace, outcome);
      counts.modified++;
    }
    counts.matched++;
  }
  if (matched.length === 0 && statement.upsert)
    counts.upserted.push({ index, _id: upsert(collection, statement).id });
}

/** Inserts the document that filter and update define. Throws 11000 if a unique index has its key already. */
export function upsert(
  collection: Collection,
  { query, update: wanted }: Pick<Statement, 'query' | 'update'>,
): IdentifiedDocument {
  const created = upsertedDocument(query.source, wanted);
  const outcome = collection.insert(created.bytes);
  if (outcome.status === 'duplicate') throw duplicateError(collection.namespace, outcome);
  return created;
}
