import { elementEnd, FIRST_ELEMENT, valueStart, whichName } from './elements.ts';

/**
 * An encoded document without some of its top-level fields. It decodes nothing. Returns the same bytes if none is present, and
 * null if the document has a type that cannot be skipped. `names`: each with a 0 after it.
 */
export function withoutFields(bytes: Buffer, names: readonly Buffer[]): Buffer | null {
  const kept: Buffer[] = [];
  let keptFrom = 0;
  for (let at = FIRST_ELEMENT; at < bytes.length - 1; ) {
    const value = valueStart(bytes, at);
    const end = elementEnd(bytes, at, value);
    if (end < 0) return null;
    if (whichName(bytes, at, value, names) >= 0) {
      kept.push(bytes.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  if (kept.length === 0) return bytes;
  const rest = Buffer.concat([...kept, bytes.subarray(keptFrom)]);
  rest.writeInt32LE(rest.length, 0);
  return rest;
}
