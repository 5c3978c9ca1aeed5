import { decodeExact, decodePromoted } from './decode.ts';
import { decodeValue, NOT_PLAIN } from './decode-value.ts';
import { elementEnd, FIRST_ELEMENT, valueStart, whichName } from './elements.ts';
import type { Fields } from './types.ts';

/**
 * A decoder that reads only some top-level fields of a document and skips the others. It is several times faster than
 * decoding all, which is most of the cost of a scan. Without names it decodes everything.
 */
export function fieldsDecoder(names: ReadonlySet<string> | null, exact: boolean): (bytes: Buffer) => Fields {
  const decode = exact ? decodeExact : decodePromoted;
  if (!names) return decode;
  // bson defines this name as an own property of the object.
  if (names.has('__proto__')) return decode;
  const wanted = { names: [...names], encoded: Array.from(names, (name) => Buffer.from(`${name}\0`)) };
  const decodeElement = (bytes: Buffer, at: number, value: number, end: number, name: string): unknown => {
    const decoded = decodeValue(bytes, bytes[at] as number, value, end, exact);
    return decoded === NOT_PLAIN ? decode(documentOf(bytes.subarray(at, end)))[name] : decoded;
  };
  return (bytes) => pickFields(bytes, wanted, decodeElement) ?? decode(bytes);
}

interface WantedFields {
  readonly names: readonly string[];
  /** The same names, each with a 0 after it. */
  readonly encoded: readonly Buffer[];
}

type DecodeElement = (bytes: Buffer, at: number, value: number, end: number, name: string) => unknown;

/** Only the wanted fields, or null if the document has a type that cannot be skipped, such as a regular expression. */
function pickFields(
  bytes: Buffer,
  { names, encoded }: WantedFields,
  decodeElement: DecodeElement,
): Fields | null {
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
      fields[name] = decodeElement(bytes, at, value, next, name);
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
