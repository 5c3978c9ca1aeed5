import { ObjectId } from 'bson';
import { decodeExact } from '../bson/decode.ts';
import { parsePath } from '../bson/path.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { type IdentifiedDocument, type NewDocument, newDocument } from '../storage/new-document.ts';
import { changeAt } from './change.ts';
import { type EncodedReplacement, insertedBytes, replacedBytes } from './encoded-replacement.ts';
import type { Update } from './parse-update.ts';

/** The document after the update, or null if it changes nothing. Throws 66 ImmutableField if `_id` would change. */
export function updatedDocument(bytes: Buffer, update: Update | EncodedReplacement): NewDocument | null {
  const result =
    update.kind === 'encoded_replacement'
      ? { bytes: replacedBytes(bytes, update) }
      : decodedUpdate(bytes, update);
  return result.bytes.equals(bytes) ? null : result;
}

function decodedUpdate(bytes: Buffer, update: Update): NewDocument {
  const document = decodeExact(bytes);
  const id = document._id;
  let after = document;
  if (update.kind === 'replacement') after = { _id: id, ...update.document };
  else update.apply(document, false);
  if (after._id === undefined || valueKey(after._id) !== valueKey(id)) throw immutableId(update);
  return newDocument(after);
}

/**
 * The document that an upsert inserts: the equalities of the filter, then the update on top of them
 * (manual, "Upsert Behavior").
 */
export function upsertedDocument(filter: Fields, update: Update | EncodedReplacement): IdentifiedDocument {
  const seed: Fields = {};
  for (const [name, value] of equalities(filter)) {
    if (update.kind === 'operators' || name === '_id') changeAt(seed, parsePath(name), () => value);
  }
  if (update.kind === 'encoded_replacement') {
    const id = seed._id ?? new ObjectId();
    return { id, bytes: insertedBytes(id, update) };
  }
  const id = seed._id;
  let after = seed;
  if (update.kind === 'replacement') after = { ...seed, ...update.document };
  else update.apply(seed, true);
  if (id !== undefined && (after._id === undefined || valueKey(after._id) !== valueKey(id)))
    throw immutableId(update);
  return newDocument(after);
}

/** The equalities of a filter: `{ a: 1 }`, `{ a: { $eq: 1 } }`, also inside $and. */
function equalities(filter: Fields): [name: string, value: unknown][] {
  return Object.entries(filter).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$and' && Array.isArray(value))
      return value.flatMap((clause) => equalities(clause as Fields));
    if (name === '$or' && Array.isArray(value) && value.length === 1) return equalities(value[0] as Fields);
    if (name.startsWith('$')) return [];
    const operators = isDocument(value) && Object.keys(value)[0]?.startsWith('$');
    if (!operators) return typeOf(value) === 'regex' ? [] : [[name, value]];
    return '$eq' in value ? [[name, value.$eq]] : [];
  });
}

function immutableId(update: Update): CommandError {
  return new CommandError(
    'ImmutableField',
    update.kind === 'replacement'
      ? `After applying the update, the (immutable) field '_id' was found to have been altered`
      : `Performing an update on the path '_id' would modify the immutable field '_id'`,
  );
}
