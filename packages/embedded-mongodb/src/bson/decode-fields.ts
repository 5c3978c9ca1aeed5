import { decodeExact, decodePromoted } from './decode.ts';
import { elementEnd, FIRST_ELEMENT, isNamed, valueStart } from './elements.ts';
import type { Fields } from './types.ts';

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
    const value = valueStart(bytes, at);
    const next = elementEnd(bytes, at, value);
    if (next < 0) return null;
    if (wanted.some((name) => isNamed(bytes, at, value, name))) {
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
