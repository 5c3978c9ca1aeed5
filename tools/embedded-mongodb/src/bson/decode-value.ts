import { Long, ObjectId } from 'bson';

/** Marks a value of a rare type, which must be decoded as part of a document. */
export const NOT_PLAIN = Symbol('not plain');

const BEYOND_EXACT = 2 ** 53;

/**
 * Decodes a value of a common type without its document, like `decodePromoted`. Throws for a string that is not UTF-8.
 */
export function decodeValue(bytes: Buffer, type: number, value: number, end: number): unknown {
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
