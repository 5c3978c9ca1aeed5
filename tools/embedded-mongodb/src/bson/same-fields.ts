import { elementEnd, FIRST_ELEMENT, valueStart, whichName } from './elements.ts';

/**
 * Compares some top-level fields of two documents by their bytes. True only if each field is the same in both, or missing
 * in both. It decodes nothing, and returns false if the bytes cannot tell.
 */
export function fieldsComparer(names: readonly string[]): (one: Buffer, other: Buffer) => boolean {
  const wanted = [...new Set(names)].map((name) => Buffer.from(`${name}\0`));
  // Each comparison overwrites these.
  const ofOne = new Uint32Array(wanted.length * 2);
  const ofOther = new Uint32Array(wanted.length * 2);
  return (one, other) =>
    findFields(one, wanted, ofOne) &&
    findFields(other, wanted, ofOther) &&
    sameParts(one, ofOne, other, ofOther);
}

/** Records start and end of each wanted field, 0 and 0 for a missing one. False if the bytes cannot tell. */
function findFields(bytes: Buffer, wanted: readonly Buffer[], places: Uint32Array): boolean {
  places.fill(0);
  let missing = wanted.length;
  for (let at = FIRST_ELEMENT; at < bytes.length - 1 && missing > 0; ) {
    const value = valueStart(bytes, at);
    const end = elementEnd(bytes, at, value);
    if (end < 0) return false;
    const field = whichName(bytes, at, value, wanted);
    if (field >= 0) {
      if (places[2 * field] !== 0) return false; // twice in one document
      places[2 * field] = at;
      places[2 * field + 1] = end;
      missing -= 1;
    }
    at = end;
  }
  return true;
}

function sameParts(one: Buffer, ofOne: Uint32Array, other: Buffer, ofOther: Uint32Array): boolean {
  for (let i = 0; i < ofOne.length; i += 2) {
    const [from, to] = [ofOne[i] as number, ofOne[i + 1] as number];
    const otherFrom = ofOther[i] as number;
    if ((ofOther[i + 1] as number) - otherFrom !== to - from) return false;
    for (let k = 0; k < to - from; k++) if (one[from + k] !== other[otherFrom + k]) return false;
  }
  return true;
}
