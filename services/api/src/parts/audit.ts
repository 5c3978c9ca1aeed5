import { type AuditedChange, auditEntry, audited, type Deed } from '@sluice/accounts/audit/audited';
import type { Doer as Author } from '@sluice/contract/account/doer';
import type { AuditLog } from '@sluice/store/audit/audit-log';
import type { User } from '@sluice/store/users/users';
import type { Request } from 'express';

export interface Doer {
  readonly user: Pick<User, 'user_id' | 'email'>;
  readonly accountId: string;
}

/**
 * Writes an audit entry of something that changes nothing, such as the reveal of a secret. Await it before responding: if the entry
 * cannot be written, the request fails.
 */
export type Audit = (who: Doer, request: Request, deed: Omit<Deed, 'ongoing'>) => Promise<void>;

export function createAudit({
  auditLog,
  now,
}: {
  auditLog: Pick<AuditLog, 'insertEntry'>;
  now: () => number;
}): Audit {
  return (who, request, deed) =>
    auditLog.insertEntry(auditEntry(authorOf(who, request), who.accountId, deed, now()));
}

/** Makes a change between the two writes of its audit entry. Await it before responding. */
export type Audited = <R>(who: Doer, request: Request, change: AuditedChange<R>) => Promise<R>;

export function createAudited({
  auditLog,
  now,
}: {
  auditLog: Pick<AuditLog, 'announceEntry' | 'confirmEntry' | 'withdrawEntry'>;
  now: () => number;
}): Audited {
  return (who, request, change) =>
    audited({ auditLog, doer: authorOf(who, request), accountId: who.accountId, at: now() }, change);
}

/** A user as the author of a change whose audit entry is written when it is published. */
export function authorOf({ user: { user_id, email } }: Pick<Doer, 'user'>, request: Request): Author {
  return { actor: { user_id, email }, address: request.ip ?? 'unknown' };
}
