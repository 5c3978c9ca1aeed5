import { decodeExact, decodePromoted } from './decode.ts';
import { decodeValue, NOT_PLAIN } from './decode-value.ts';
import { elementEnd, FIRST_ELEMENT, isNamed, valueStart } from './elements.ts';
import type { Fields } from './types.ts';

/**
 * A decoder that reads only some of the fields at the top of a document and skips the others: several times
 * faster than decoding all, which is most of what a scan costs. Without names it decodes everything.
 */
export function fieldsDecoder(names: ReadonlySet<string> | null, exact: boolean): (bytes: Buffer) => Fields {
  const decode = exact ? decodeExact : decodePromoted;
  if (!names) return decode;
  // bson gives this one to the object as a field of its own.
  if (names.has('__proto__')) return decode;
  const wanted = [...names].map((name) => ({ name, encoded: Buffer.from(`${name}\0`) }));
  const decodeElement = (bytes: Buffer, at: number, value: number, end: number, name: string): unknown => {
    const decoded = decodeValue(bytes, bytes[at] as number, value, end, exact);
    return decoded === NOT_PLAIN ? decode(documentOf(bytes.subarray(at, end)))[name] : decoded;
  };
  return (bytes) => pickFields(bytes, wanted, decodeElement) ?? decode(bytes);
}

interface WantedField {
  readonly name: string;
  readonly encoded: Buffer;
}

type DecodeElement = (bytes: Buffer, at: number, value: number, end: number, name: string) => unknown;

/** The wanted fields only, or null when it has a type that cannot be skipped (a regular expression, for one). */
function pickFields(
  bytes: Buffer,
  wanted: readonly WantedField[],
  decodeElement: DecodeElement,
): Fields | null {
  const fields: Fields = {};
  const end = bytes.length - 1;
  let missing = wanted.length;
  for (let at = FIRST_ELEMENT; at < end && missing > 0; ) {
    const value = valueStart(bytes, at);
    const next = elementEnd(bytes, at, value);
    if (next < 0) return null;
    const found = wantedAt(bytes, at, value, wanted);
    if (found !== undefined) {
      fields[found.name] = decodeElement(bytes, at, value, next, found.name);
      missing -= 1;
    }
    at = next;
  }
  return fields;
}

// A loop, as a closure for each element is most of what a scan would allocate.
function wantedAt(
  bytes: Buffer,
  at: number,
  value: number,
  wanted: readonly WantedField[],
): WantedField | undefined {
  for (const field of wanted) if (isNamed(bytes, at, value, field.encoded)) return field;
  return undefined;
}

/** A document of one element. */
function documentOf(element: Buffer): Buffer {
  const document = Buffer.alloc(FIRST_ELEMENT + element.length + 1);
  document.writeInt32LE(document.length, 0);
  element.copy(document, FIRST_ELEMENT);
  return document;
}
