/** Offsets in encoded documents (bsonspec.org). An element is a type, a name that ends with 0, and a value. */

/** A document begins with its size. Bytes before the first element. */
export const FIRST_ELEMENT = 4;

export const STRING = 2;
export const DOCUMENT = 3;
export const ARRAY = 4;
export const BOOLEAN = 8;

/** Bytes of a value by its BSON type, for types of fixed size. */
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
/** Bytes to add to the length at the start of a value. A string's length excludes its prefix, a document's includes it. */
const LENGTH_EXTRAS: Record<number, number> = { 2: 4, 3: 0, 4: 0, 5: 5, 13: 4, 14: 4, 15: 0 };

/** Offset of the value of the element at this offset. */
export function valueStart(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== 0) end++;
  return end + 1;
}

/** End of the element at this offset. -1 if its type does not define a size, such as a regular expression, or it is cut off. */
export function elementEnd(bytes: Buffer, at: number, value: number): number {
  const type = bytes[at] as number;
  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return within(bytes, value + fixed);
  const extra = LENGTH_EXTRAS[type];
  if (extra === undefined || value + 4 > bytes.length) return -1;
  const length = bytes.readInt32LE(value);
  return length < 0 ? -1 : within(bytes, value + length + extra);
}

function within(bytes: Buffer, end: number): number {
  return end <= bytes.length ? end : -1;
}

/** Index of the name of the element at this offset; -1 if it has another. A loop avoids a closure for each element of a scan. */
export function whichName(bytes: Buffer, at: number, value: number, names: readonly Buffer[]): number {
  for (let i = 0; i < names.length; i++) if (isNamed(bytes, at, value, names[i] as Buffer)) return i;
  return -1;
}

/** Whether the element at this offset has exactly this name. `name` ends with 0. */
export function isNamed(bytes: Buffer, at: number, value: number, name: Buffer): boolean {
  if (value - at - 1 !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[at + 1 + i] !== name[i]) return false;
  return true;
}
