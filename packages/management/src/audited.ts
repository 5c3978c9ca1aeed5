import type { Doer } from '@sluice/contract/change';
import type { AuditLog } from '@sluice/store/audit-log';
import { auditEntry, type Deed } from './audit-entry.ts';

/** A change, and its entry in the audit log. */
export interface AuditedChange<R> {
  /** The change that is about to be made. */
  readonly intent: Deed;
  /** Makes the change. If it throws, it is unknown whether it was made. */
  readonly work: () => Promise<R>;
  /** The change that was made. Undefined: none. */
  readonly deed: (result: R) => Deed | undefined;
}

/** The log, and the author of a change. */
export interface Auditing {
  readonly auditLog: Pick<AuditLog, 'announceEntry' | 'confirmEntry' | 'withdrawEntry'>;
  readonly doer: Doer;
  readonly accountId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Makes a change between two writes of its audit entry. The first says that the change has begun, the second what it was. So a
 * process that dies at any instant leaves no change without an entry. Between the two writes the entry is unconfirmed.
 */
export async function audited<R>(
  { auditLog, doer, accountId, at }: Auditing,
  { intent, work, deed: deedOf }: AuditedChange<R>,
): Promise<R> {
  const entry = auditEntry(doer, accountId, intent, at);
  const announced = await auditLog.announceEntry(entry);
  const result = await work();
  const deed = deedOf(result);
  if (deed === undefined) await auditLog.withdrawEntry(entry.audit_id, announced);
  else {
    const { action, target, detail = null } = deed;
    await auditLog.confirmEntry({ ...entry, action, target, detail });
  }
  return result;
}
