import { isUtf8 } from 'node:buffer';
import { ARRAY, BOOLEAN, DOCUMENT, elementEnd, FIRST_ELEMENT, STRING, valueStart } from './elements.ts';

/** Double, string, document, array, ObjectId, boolean, date, null, int, long: the types of most documents. */
const PLAIN_TYPES = new Set([1, STRING, DOCUMENT, ARRAY, 7, BOOLEAN, 9, 10, 16, 18]);
const SMALLEST_DOCUMENT = 5;

/**
 * Checks the bytes of a document, which is several times faster than decoding it. True means that it can be decoded.
 * False means that only decoding can tell: it may be broken, nested deeper than the limit, or contain a rare type.
 */
export function isSound(bytes: Buffer, levels: number): boolean {
  return (
    bytes.length >= SMALLEST_DOCUMENT && bytes.readInt32LE(0) === bytes.length && isSoundAt(bytes, 0, levels)
  );
}

function isSoundAt(bytes: Buffer, start: number, levels: number): boolean {
  const end = start + bytes.readInt32LE(start) - 1;
  if (levels === 0 || end < start + FIRST_ELEMENT || bytes[end] !== 0) return false;
  let at = start + FIRST_ELEMENT;
  while (at < end) {
    const value = valueStart(bytes, at);
    const next = elementEnd(bytes, at, value);
    if (next < 0 || next > end || !isAscii(bytes, at + 1, value - 1)) return false;
    if (!isSoundValue(bytes, bytes[at] as number, value, next, levels)) return false;
    at = next;
  }
  return at === end;
}

function isSoundValue(bytes: Buffer, type: number, value: number, next: number, levels: number): boolean {
  switch (type) {
    case STRING:
      return next > value + 4 && bytes[next - 1] === 0 && isText(bytes, value + 4, next - 1);
    case DOCUMENT:
    case ARRAY:
      return isSoundAt(bytes, value, levels - 1);
    case BOOLEAN:
      return (bytes[value] as number) <= 1;
    default:
      return PLAIN_TYPES.has(type);
  }
}

/** Most texts are short and ASCII. A loop over their bytes then costs less than a view of them for Node. */
const SHORT_TEXT = 64;

function isText(bytes: Buffer, from: number, to: number): boolean {
  return (to - from <= SHORT_TEXT && isAscii(bytes, from, to)) || isUtf8(bytes.subarray(from, to));
}

function isAscii(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((bytes[i] as number) >= 0x80) return false;
  return true;
}
