import type { Deed } from '@sluice/management/audit-entry';
import { overlapDetail, overlapEnd } from '@sluice/management/end-overlap';
import type { Source } from '@sluice/store/sources';
import { targetOf } from './routes.ts';

/** The last rotation of a source: one entry, be it noted by the second who confirms it, as the first may have died before. */
export function rotatedDeed(source: Source, nowMs: number): Deed {
  const until = overlapEnd(source, nowMs);
  return {
    action: 'secret.rotated',
    target: targetOf(source),
    ongoing: String(source.secret_rotated_at),
    ...(until !== null && { detail: overlapDetail(until) }),
  };
}
