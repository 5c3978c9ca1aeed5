import { serialize } from 'bson';
import { elementEnd, FIRST_ELEMENT, isNamed, valueStart } from '../bson/elements.ts';
import { isSound } from '../bson/is-sound.ts';
import { checkId, checkSize, MAX_DEPTH } from '../storage/new-document.ts';

/** A replacement document of the client. Its bytes go into the stored document without being decoded. */
export interface EncodedReplacement {
  readonly kind: 'encoded_replacement';
  readonly bytes: Buffer;
}

const ID_NAME = Buffer.from('_id\0');
const DOLLAR = 0x24;

/** Null if the document is not a replacement, has an `_id`, or must be decoded to know whether it is valid. */
export function asEncodedReplacement(bytes: Buffer): EncodedReplacement | null {
  if (!isSound(bytes, MAX_DEPTH)) return null;
  for (let at = FIRST_ELEMENT; at < bytes.length - 1; ) {
    const value = valueStart(bytes, at);
    if (bytes[at + 1] === DOLLAR || isNamed(bytes, at, value, ID_NAME)) return null;
    at = elementEnd(bytes, at, value);
  }
  return { kind: 'encoded_replacement', bytes };
}

/** The stored document with everything except its `_id` replaced. */
export function replacedBytes(stored: Buffer, { bytes }: EncodedReplacement): Buffer {
  const idEnd = elementEnd(stored, FIRST_ELEMENT, valueStart(stored, FIRST_ELEMENT));
  return join(stored.subarray(FIRST_ELEMENT, idEnd), bytes);
}

/** A new document with this `_id`. Throws like a new document. */
export function insertedBytes(id: unknown, { bytes }: EncodedReplacement): Buffer {
  checkId(id);
  const encoded = serialize({ _id: id });
  return join(encoded.subarray(FIRST_ELEMENT, encoded.length - 1), bytes);
}

function join(id: Uint8Array, rest: Buffer): Buffer {
  const size = id.length + rest.length;
  checkSize(size);
  const joined = Buffer.allocUnsafe(size);
  joined.writeInt32LE(size, 0);
  joined.set(id, FIRST_ELEMENT);
  rest.copy(joined, FIRST_ELEMENT + id.length, FIRST_ELEMENT);
  return joined;
}
