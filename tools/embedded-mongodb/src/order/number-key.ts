const scratch = Buffer.alloc(8);

/** Eight bytes (as a latin-1 string) in the order of doubles: sign bit flipped, negatives inverted. */
export function doubleKey(value: number): string {
  if (Number.isNaN(value)) return '\0\0\0\0\0\0\0\0'; // NaN comes before every other number
  scratch.writeDoubleBE(value === 0 ? 0 : value, 0); // -0 equals 0
  if (scratch.readUInt8(0) & 0x80) {
    for (let i = 0; i < 8; i++) scratch[i] = ~(scratch[i] ?? 0);
  } else {
    scratch[0] = (scratch[0] ?? 0) | 0x80;
  }
  return scratch.toString('latin1');
}

/**
 * Ten bytes in the order of numbers of any BSON type: the nearest double not above it, then the remainder. Only a Long
 * beyond 2^53 has a remainder (at most 1023), which keeps it distinct from its neighbours.
 */
export function numberKey(value: number | bigint): string {
  if (typeof value === 'number') return `${doubleKey(value)}\0\0`;
  let below = Number(value);
  if (BigInt(below) > value) below = nextDown(below);
  const rest = Number(value - BigInt(below));
  return doubleKey(below) + String.fromCharCode(rest >> 8, rest & 0xff);
}

/** The next smaller double. Two neighbours of one sign have neighbouring bit patterns. */
function nextDown(value: number): number {
  scratch.writeDoubleBE(value, 0);
  scratch.writeBigUInt64BE(scratch.readBigUInt64BE(0) + (value > 0 ? -1n : 1n), 0);
  return scratch.readDoubleBE(0);
}
