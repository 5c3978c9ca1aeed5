import { createHash } from 'node:crypto';
import type { AuditAction } from '@sluice/contract/audit-actions';
import type { Doer } from '@sluice/contract/change';
import { newId } from '@sluice/credentials/ids';
import type { AuditEntry } from '@sluice/store/audit/audit-log';

/** An audited change. All admins of the account see `detail` and the names, so they must not contain a secret. */
export interface Deed {
  readonly action: AuditAction;
  readonly target: { readonly id: string; readonly name: string };
  readonly detail?: string;
  /**
   * Names a change that spans several requests or is retried. All of them share one entry, with the latest detail.
   */
  readonly ongoing?: string;
}

/** Creates the audit log entry of a change made at `at`, milliseconds since the Unix epoch. */
export function auditEntry(
  { actor, address }: Doer,
  accountId: string,
  { action, target, detail, ongoing }: Deed,
  at: number,
): AuditEntry {
  const audit_id = ongoing === undefined ? newId('aud') : ongoingId([accountId, action, target.id, ongoing]);
  const where = { audit_id, account_id: accountId, at };
  return { ...where, action, actor, address, target, detail: detail ?? null };
}

function ongoingId(names: readonly string[]): string {
  return `aud_${createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32)}`;
}
