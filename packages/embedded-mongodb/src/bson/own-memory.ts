/**
 * Memory for bytes that are kept: theirs alone. What `Buffer.from` and `Buffer.allocUnsafe` give is mostly part of a slab
 * of 8 KiB (Buffer.poolSize) that it shares with whatever else was allocated then, and one kept document of a few hundred
 * bytes keeps all of it. Not filled.
 */
export function ownMemory(size: number): Buffer {
  return Buffer.allocUnsafeSlow(size);
}

/** A copy of bytes that is to be kept. */
export function ownCopy(bytes: Uint8Array): Buffer {
  const copy = ownMemory(bytes.length);
  copy.set(bytes);
  return copy;
}
