import type { AuditAction } from '@sluice/contract/dashboard/audit-actions';
import { newId } from '@sluice/credentials/ids';
import type { AuditEntry } from '@sluice/store/audit-log';

/** One thing that was done. `detail` and names are shown to all admins of the account: never a secret. */
export interface Deed {
  readonly action: AuditAction;
  readonly target: { readonly id: string; readonly name: string };
  readonly detail?: string;
}

/** Who did it, and from where. */
export interface Doer {
  readonly actor: AuditEntry['actor'];
  readonly address: string;
}

/** The entry of the audit log for something that was done at `at`, milliseconds since the Unix epoch. */
export function auditEntry(
  { actor, address }: Doer,
  accountId: string,
  { action, target, detail }: Deed,
  at: number,
): AuditEntry {
  const where = { audit_id: newId('aud'), account_id: accountId, at };
  return { ...where, action, actor, address, target, detail: detail ?? null };
}
