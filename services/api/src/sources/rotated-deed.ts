import type { Deed } from '@sluice/accounts/audit/audit-entry';
import type { AuditedChange } from '@sluice/accounts/audit/audited';
import { overlapDetail, overlapEnd } from '@sluice/accounts/secrets/end-overlap';
import {
  type RotateSecretDeps,
  type Rotation,
  rotateSecret,
  type SecretRotated,
} from '@sluice/accounts/secrets/rotate-secret';
import type { Source } from '@sluice/store/sources/source';
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

/** A rotation with its audit entry. Its time names the entry, so that a repeat of the confirmation finds it. */
export function auditedRotation(
  deps: RotateSecretDeps,
  source: Source,
  rotation: Rotation,
): AuditedChange<SecretRotated> {
  const at = deps.now();
  return {
    intent: { action: 'secret.rotated', target: targetOf(source), ongoing: String(at) },
    work: () => rotateSecret({ ...deps, now: () => at }, source.source_id, rotation),
    deed: (result) => (result.status === 'rotated' ? rotatedDeed(result.source, at) : undefined),
  };
}
