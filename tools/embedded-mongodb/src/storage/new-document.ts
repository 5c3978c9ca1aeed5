import { ObjectId, serialize } from 'bson';
import { decodeExact } from '../bson/decode.ts';
import { FIRST_ELEMENT, isNamed, valueStart } from '../bson/elements.ts';
import { isSound } from '../bson/is-sound.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';

/** Manual, "MongoDB Limits and Thresholds". Bytes and levels. */
export const MAX_DOCUMENT_SIZE = 16 * 1024 * 1024;
export const MAX_DEPTH = 180;

/** A document that may be stored: encoded, `_id` first, within MongoDB's limits. */
export interface NewDocument {
  readonly bytes: Buffer;
}

/** A document with a known `_id`, exact. */
export interface IdentifiedDocument extends NewDocument {
  readonly id: unknown;
}

const ID_NAME = Buffer.from('_id\0');
/** Types of an `_id` that need no further check: double, string, ObjectId, date, int, long. */
const PLAIN_IDS = new Set([1, 2, 7, 9, 16, 18]);

/**
 * Checks an encoded document of a client. Its bytes stay unchanged if its `_id` comes first. Throws 10334
 * BSONObjectTooLarge, 2 BadValue for an invalid `_id`, 15 Overflow for too many levels.
 */
export function newDocumentFromBytes(bytes: Buffer): NewDocument {
  if (hasPlainIdFirst(bytes) && isSound(bytes, MAX_DEPTH)) {
    checkSize(bytes.length);
    return { bytes };
  }
  const document = decodeExact(bytes);
  if (Object.keys(document)[0] !== '_id') return newDocument(document);
  assertDepth(document, 1);
  check(document, bytes.length);
  return { bytes };
}

function hasPlainIdFirst(bytes: Buffer): boolean {
  if (bytes.length <= FIRST_ELEMENT || !PLAIN_IDS.has(bytes[FIRST_ELEMENT] as number)) return false;
  return isNamed(bytes, FIRST_ELEMENT, valueStart(bytes, FIRST_ELEMENT), ID_NAME);
}

/** The same check for a document (exact) that was created here. Adds an `_id` if it has none. */
export function newDocument(fields: Fields): IdentifiedDocument {
  const { _id: id, ...rest } = fields;
  const document = { _id: id === undefined ? new ObjectId() : id, ...rest };
  assertDepth(document, 1);
  const bytes = encoded(document);
  check(document, bytes.length);
  return { bytes, id: document._id };
}

function encoded(document: Fields): Buffer {
  const { buffer, byteOffset, byteLength } = serialize(withIdFirst(document));
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** JavaScript sorts numeric names before all others, but all other code here expects the `_id` first. */
function withIdFirst(document: Fields): Fields | Map<string, unknown> {
  const names = Object.keys(document);
  if (names[0] === '_id') return document;
  return new Map(['_id', ...names].map((name) => [name, document[name]]));
}

function check(document: Fields, size: number): void {
  checkSize(size);
  checkId(document._id);
}

/** Throws 10334 BSONObjectTooLarge. */
export function checkSize(size: number): void {
  if (size > MAX_DOCUMENT_SIZE) {
    throw new CommandError(
      'BSONObjectTooLarge',
      `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_DOCUMENT_SIZE}(16MB)`,
    );
  }
}

/** Throws 2 BadValue, or 52 DollarPrefixedFieldName. */
export function checkId(id: unknown): void {
  const type = typeOf(id);
  if (type === 'array' || type === 'regex') {
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
