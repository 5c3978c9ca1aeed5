import { deserialize } from 'bson';
import type { Fields } from './types.ts';

const EXACT = { promoteValues: false, bsonRegExp: true } as const;
const PROMOTED = { promoteValues: true, bsonRegExp: true } as const;

/** Decodes with every BSON type preserved (Int32, Double and Long stay distinct), so that encoding again changes nothing. */
export function decodeExact(bytes: Uint8Array): Fields {
  return deserialize(bytes, EXACT);
}

/**
 * Decodes for comparisons only: numbers become JavaScript numbers (a Long beyond 2^53 stays a Long), which is much
 * faster. Never store the result.
 */
export function decodePromoted(bytes: Uint8Array): Fields {
  return deserialize(bytes, PROMOTED);
}
