import { decodePromoted } from './decode.ts';
import { decodeValue, NOT_PLAIN } from './decode-value.ts';
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
