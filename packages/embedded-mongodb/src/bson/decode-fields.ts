import { decodeExact, decodePromoted } from './decode.ts';
import type { Fields } from './types.ts';

/** Bytes of a value by its BSON type, where the type alone says it (bsonspec.org). */
const FIXED_SIZES: Record<number, number> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};
/** What to add to the length that such a value begins with: strings count only themselves, documents all of it. */
const LENGTH_EXTRAS: Record<number, number> = { 2: 4, 3: 0, 4: 0, 5: 5, 13: 4, 14: 4, 15: 0 };

const FIRST_ELEMENT = 4;

/**
 * A decoder that reads only some of the fields at the top of a document and skips the others: several times
 * faster than decoding all, which is most of what a scan costs. Without names it decodes everything.
 */
export function fieldsDecoder(names: ReadonlySet<string> | null, exact: boolean): (bytes: Buffer) => Fields {
  const decode = exact ? decodeExact : decodePromoted;
  if (!names) return decode;
  const wanted = [...names].map((name) => Buffer.from(`${name}\0`));
  return (bytes) => {
    const picked = pickElements(bytes, wanted);
    return picked ? decode(picked) : decode(bytes);
  };
}

/** A document of the wanted elements only, or null when it has a type that cannot be skipped (a regular expression, for one). */
function pickElements(bytes: Buffer, wanted: readonly Buffer[]): Buffer | null {
  const parts: Buffer[] = [];
  let size = FIRST_ELEMENT + 1;
  const end = bytes.length - 1;
  for (let at = FIRST_ELEMENT; at < end && parts.length < wanted.length; ) {
    const nameEnd = bytes.indexOf(0, at + 1) + 1;
    const valueSize = sizeOfValue(bytes, at, nameEnd);
    if (valueSize < 0) return null;
    const next = nameEnd + valueSize;
    if (wanted.some((name) => isName(bytes, at + 1, nameEnd, name))) {
      parts.push(bytes.subarray(at, next));
      size += next - at;
    }
    at = next;
  }
  const result = Buffer.alloc(size);
  result.writeInt32LE(size, 0);
  let to = FIRST_ELEMENT;
  for (const part of parts) to += part.copy(result, to);
  return result;
}

/** -1 when the type does not tell. */
function sizeOfValue(bytes: Buffer, at: number, valueStart: number): number {
  const type = bytes[at] ?? 0;
  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return fixed;
  const extra = LENGTH_EXTRAS[type];
  return extra === undefined ? -1 : bytes.readInt32LE(valueStart) + extra;
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}
