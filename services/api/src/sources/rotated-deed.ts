import type { Deed } from '@sluice/management/audit-entry';
import { overlapDetail, overlapEnd } from '@sluice/management/end-overlap';
import type { Source } from '@sluice/store/source';
import { targetOf } from './routes.ts';

/** The audited change for a source's last rotation. Idempotent: a retry of the confirmation writes the same entry. */
export function rotatedDeed(source: Source, nowMs: number): Deed {
  const until = overlapEnd(source, nowMs);
  return {
    action: 'secret.rotated',
    target: targetOf(source),
    ongoing: String(source.secret_rotated_at),
    ...(until !== null && { detail: overlapDetail(until) }),
  };
}
