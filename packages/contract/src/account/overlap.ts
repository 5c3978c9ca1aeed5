import { HOUR_MS } from '../time/durations.ts';

/**
 * How long a rotated signing secret is still accepted, as an admin chooses. With the default `0` it is rejected at once
 * (docs/guarantees.md, 4).
 */
export const OVERLAPS = ['0', '1h', '24h'] as const;
export type Overlap = (typeof OVERLAPS)[number];

const LENGTHS: Record<Overlap, number> = { '0': 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS };

/** Milliseconds. */
export function overlapMs(overlap: Overlap): number {
  return LENGTHS[overlap];
}
