import { createHash } from 'node:crypto';
import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { Doer } from '@sluice/contract/account/doer';
import { newId } from '@sluice/credentials/ids';
import type { AuditEntry, AuditLog } from '@sluice/store/audit/audit-log';

/** A change, and its entry in the audit log. */
export interface AuditedChange<R> {
  /** The change that is about to be made. */
  readonly intent: Deed;
  /** Makes the change. If it throws, it is unknown whether it was made. */
  readonly work: () => Promise<R>;
  /**
   * The change that was made. Undefined: none. If it names another ongoing change than the intent, it has the entry of that one:
   * another request came first.
   */
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
  const isOwn = deed?.ongoing === undefined || deed.ongoing === intent.ongoing;
  if (deed !== undefined) {
    const { action, target, detail = null } = deed;
    const made = isOwn ? { ...entry, action, target, detail } : auditEntry(doer, accountId, deed, at);
    await auditLog.confirmEntry(made);
  }
  if (deed === undefined || !isOwn) await auditLog.withdrawEntry(entry.audit_id, announced);
  return result;
}

/** A change that is known before it is made. `isMade`: whether the result changed anything. Default: if it did not throw. */
export function knownChange<R>(
  deed: Deed,
  work: () => Promise<R>,
  isMade: (result: R) => boolean = () => true,
): AuditedChange<R> {
  return { intent: deed, work, deed: (result) => (isMade(result) ? deed : undefined) };
}

/** Makes a change that several accounts have an entry of, such as that of a user's password. */
export function auditedInEach<R>(
  accountIds: readonly string[],
  auditedIn: (accountId: string, work: () => Promise<R>) => Promise<R>,
  work: () => Promise<R>,
): Promise<R> {
  return accountIds.reduceRight((inner, accountId) => () => auditedIn(accountId, inner), work)();
}

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
