import { hostname, userInfo } from 'node:os';
import { auditEntry, type Deed } from '@sluice/management/audit-entry';
import type { AuditLog } from '@sluice/store/audit-log';

/** Notes in an account's audit log what was done from the command line. What cannot be noted fails the command. */
export type Audit = (accountId: string, deed: Deed) => Promise<void>;

/** Whoever can run a command here is known to the operating system only: its user, and the machine. */
export function createAudit({
  auditLog,
  now,
}: {
  auditLog: () => Promise<Pick<AuditLog, 'insertEntry' | 'putEntry'>>;
  now: () => number;
}): Audit {
  return async (accountId, deed) => {
    const doer = { actor: { user_id: 'cli', email: `cli (${userName()}@${hostname()})` }, address: 'cli' };
    const entry = auditEntry(doer, accountId, deed, now());
    const log = await auditLog();
    await (deed.ongoing === undefined ? log.insertEntry(entry) : log.putEntry(entry));
  };
}

/** In a container the number of the user may have no name; then Node has none to tell. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
