import { ObjectId, serialize } from 'bson';
import { decodeExact } from '../bson/decode.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';

/** Manual, "MongoDB Limits and Thresholds". Bytes and levels. */
export const MAX_DOCUMENT_SIZE = 16 * 1024 * 1024;
const MAX_DEPTH = 180;

/** A document that may be stored: `_id` first, within MongoDB's limits. `bytes` is the encoded `document`. */
export interface NewDocument {
  readonly bytes: Buffer;
  readonly document: Fields;
}

/**
 * Checks an encoded document that came from a client. It is kept byte for byte when its `_id` comes first.
 * Throws 10334 BSONObjectTooLarge, 2 BadValue for an unfit `_id`, 15 Overflow for too many levels.
 */
export function newDocumentFromBytes(bytes: Uint8Array): NewDocument {
  const document = decodeExact(bytes);
  if (Object.keys(document)[0] !== '_id') return newDocument(document);
  assertDepth(document, 1);
  check(document, bytes.length);
  return { bytes: Buffer.from(bytes), document }; // a copy: the bytes are part of a whole message
}

/** As above, for a document (exact) that was made here. Gives it an `_id` when it has none. */
export function newDocument(fields: Fields): NewDocument {
  const { _id: id, ...rest } = fields;
  const document = { _id: id === undefined ? new ObjectId() : id, ...rest };
  assertDepth(document, 1);
  const bytes = Buffer.from(serialize(document));
  check(document, bytes.length);
  return { bytes, document };
}

function check(document: Fields, size: number): void {
  if (size > MAX_DOCUMENT_SIZE) {
    throw new CommandError(
      'BSONObjectTooLarge',
      `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_DOCUMENT_SIZE}(16MB)`,
    );
  }
  checkId(document._id);
}

function checkId(id: unknown): void {
  const type = typeOf(id);
  if (type === 'array' || type === 'regex' || type === 'undefined') {
    throw new CommandError('BadValue', `The '_id' value cannot be of type ${type}`);
  }
  if (isDocument(id) && Object.keys(id)[0]?.startsWith('$')) {
    throw new CommandError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${Object.keys(id)[0]} is not valid for storage.`,
    );
  }
}

function assertDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH)
    throw new CommandError('Overflow', `cannot store a document nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) for (const element of value) assertDepth(element, depth + 1);
  else if (isDocument(value)) for (const name in value) assertDepth(value[name], depth + 1);
}
