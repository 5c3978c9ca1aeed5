import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * The fastest level. On groups of 31 actions it takes 1.3 to 3.5 us an action and leaves 0.09 to 0.25 of the bytes. Higher
 * levels and zstd, which Node 20 lacks, leave hardly less (bench/speed-tried.md).
 */
const LEVEL = 1;

/** The most that a packed text may contain. An ingress makes far smaller groups (lane.ts). Bytes. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

/** Compresses the JSON of a group's actions. Returns base64, because a job is text. */
export function packActions(json: string): string {
  return deflateRawSync(json, { level: LEVEL }).toString('base64');
}

/** Returns the actions of a packed group. Undefined for anything that `packActions` did not make. Never throws. */
export function unpackActions(packed: unknown): readonly unknown[] | undefined {
  if (typeof packed !== 'string') return undefined;
  try {
    const json = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES });
    const actions: unknown = JSON.parse(json.toString());
    return Array.isArray(actions) ? actions : undefined;
  } catch {
    return undefined;
  }
}
