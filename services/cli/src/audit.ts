import { hostname, userInfo } from 'node:os';
import {
  type AuditedChange,
  type Auditing,
  auditEntry,
  audited,
  type Deed,
} from '@sluice/accounts/audit/audited';
import type { Doer } from '@sluice/contract/account/doer';
import type { AuditLog } from '@sluice/store/audit/audit-log';

/**
 * Records an action of the command line that changes nothing, such as the reveal of a secret, in an account's audit log. The command
 * fails if recording fails.
 */
export type Audit = (accountId: string, deed: Omit<Deed, 'ongoing'>) => Promise<void>;

/** Makes a change between the two writes of its audit entry. */
export type Audited = <R>(accountId: string, change: AuditedChange<R>) => Promise<R>;

export function createAudited({
  auditLog,
  now,
}: {
  auditLog: () => Promise<Auditing['auditLog']>;
  now: () => number;
}): Audited {
  return async (accountId, change) =>
    audited({ auditLog: await auditLog(), doer: cliDoer(), accountId, at: now() }, change);
}

/** The operating system's user and host, because the command line has no sign-in. */
export function cliDoer(): Doer {
  return { actor: { user_id: 'cli', email: cliName() }, address: 'cli' };
}

export function createAudit({
  auditLog,
  now,
}: {
  auditLog: () => Promise<Pick<AuditLog, 'insertEntry'>>;
  now: () => number;
}): Audit {
  return async (accountId, deed) =>
    (await auditLog()).insertEntry(auditEntry(cliDoer(), accountId, deed, now()));
}

/** The user of the command line, as the audit log and imports show it. */
export function cliName(): string {
  return `cli (${userName()}@${hostname()})`;
}

/** In a container the user id may have no name; Node then throws. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
