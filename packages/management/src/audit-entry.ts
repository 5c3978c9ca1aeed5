import { createHash } from 'node:crypto';
import type { AuditAction } from '@sluice/contract/audit-actions';
import { newId } from '@sluice/credentials/ids';
import type { AuditEntry } from '@sluice/store/audit-log';

/** One thing that was done. `detail` and names are shown to all admins of the account: never a secret. */
export interface Deed {
  readonly action: AuditAction;
  readonly target: { readonly id: string; readonly name: string };
  readonly detail?: string;
  /** Names a deed that goes on for several requests, or is tried again: it has one entry, with its latest detail. */
  readonly ongoing?: string;
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
