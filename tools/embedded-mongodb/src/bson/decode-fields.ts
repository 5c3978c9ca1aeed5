import { Long, ObjectId } from 'bson';
import { decodePromoted } from './decode.ts';
import { elementEnd, FIRST_ELEMENT, valueStart, whichName } from './elements.ts';
import type { Fields } from './types.ts';

/**
 * A decoder that reads only some top-level fields of a document and skips the others. It is several times faster than
 * decoding all, which is most of the cost of a scan. Numbers become JavaScript numbers, so never store the result.
 */
export function fieldsDecoder(names: ReadonlySet<string>): (bytes: Buffer) => Fields {
  // bson defines this name as an own property of the object.
  if (names.has('__proto__')) return decodePromoted;
  const wanted = { names: [...names], encoded: Array.from(names, (name) => Buffer.from(`${name}\0`)) };
  return (bytes) => pickFields(bytes, wanted) ?? decodePromoted(bytes);
}

interface WantedFields {
  readonly names: readonly string[];
  /** The same names, each with a 0 after it. */
  readonly encoded: readonly Buffer[];
}

/** Only the wanted fields, or null if the document has a type that cannot be skipped, such as a regular expression. */
function pickFields(bytes: Buffer, { names, encoded }: WantedFields): Fields | null {
  const fields: Fields = {};
  const end = bytes.length - 1;
  let missing = names.length;
  for (let at = FIRST_ELEMENT; at < end && missing > 0; ) {
    const value = valueStart(bytes, at);
    const next = elementEnd(bytes, at, value);
    if (next < 0) return null;
    const place = whichName(bytes, at, value, encoded);
    if (place >= 0) {
      const name = names[place] as string;
      const decoded = decodeValue(bytes, bytes[at] as number, value, next);
      fields[name] =
        decoded === NOT_PLAIN ? decodePromoted(documentOf(bytes.subarray(at, next)))[name] : decoded;
      missing -= 1;
    }
    at = next;
  }
  return fields;
}

/** A document of one element. */
function documentOf(element: Buffer): Buffer {
  const document = Buffer.alloc(FIRST_ELEMENT + element.length + 1);
  document.writeInt32LE(document.length, 0);
  element.copy(document, FIRST_ELEMENT);
  return document;
}

/** Marks a value of a rare type, which must be decoded as part of a document. */
const NOT_PLAIN = Symbol('not plain');

const BEYOND_EXACT = 2 ** 53;

/**
 * Decodes a value of a common type without its document, like `decodePromoted`. Throws for a string that is not UTF-8.
 */
function decodeValue(bytes: Buffer, type: number, value: number, end: number): unknown {
  switch (type) {
    case 1:
      return bytes.readDoubleLE(value);
    case 2:
      return decodeText(bytes, value + 4, end - 1);
    case 7:
      return new ObjectId(bytes.subarray(value, end));
    case 8:
      return bytes[value] === 1;
    case 9:
      return new Date(numberAt(bytes, value));
    case 10:
      return null;
    case 16:
      return bytes.readInt32LE(value);
    case 18: {
      const number = numberAt(bytes, value);
      if (Math.abs(number) < BEYOND_EXACT) return number;
      return new Long(bytes.readInt32LE(value), bytes.readInt32LE(value + 4));
    }
    default:
      return NOT_PLAIN;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(bytes: Buffer, from: number, to: number): string {
  for (let i = from; i < to; i++) {
    if ((bytes[i] as number) >= 0x80) return decoder.decode(bytes.subarray(from, to));
  }
  return bytes.toString('latin1', from, to);
}

/** Exact up to 2^53. */
function numberAt(bytes: Buffer, at: number): number {
  return bytes.readInt32LE(at + 4) * 0x100000000 + bytes.readUInt32LE(at);
}
