import { randomFillSync } from 'node:crypto';
import { BASE62 } from './base62.ts';

// One call to the system's generator serves about 180 ids. A call for each id would cost more than all the rest.
const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * `length` characters of base 62, each with the same probability (5.95 bits). Every byte of the pool is used once and then
 * overwritten, because it may have become a part of a secret. nanoid leaves used bytes in its pool, hence this function.
 */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // Six bits of a byte are 0 to 63. Dropping 62 and 63 leaves the others equally likely.
    const value = nextByte() & 63;
    if (value < 62) text += BASE62.charAt(value);
  }
  return text;
}

function nextByte(): number {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used] = 0;
  used += 1;
  return byte;
}
