import type { AuditAction } from '@sluice/contract/dashboard/audit-actions';
import { newId } from '@sluice/credentials/ids';
import type { AuditLog } from '@sluice/store/audit-log';
import type { User } from '@sluice/store/users';
import type { Request } from 'express';

/** One thing that was done. `detail` and names are shown to all admins of the account: never a secret. */
export interface Deed {
  readonly action: AuditAction;
  readonly target: { readonly id: string; readonly name: string };
  readonly detail?: string;
}

export interface Doer {
  readonly user: Pick<User, 'user_id' | 'email'>;
  readonly accountId: string;
}

/** Notes what somebody has done. Awaited before the answer: what cannot be noted is reported as failed. */
export type Audit = (who: Doer, request: Request, deed: Deed) => Promise<void>;

export function createAudit({
  auditLog,
  now,
}: {
  auditLog: Pick<AuditLog, 'insertEntry'>;
  now: () => number;
}): Audit {
  return ({ user, accountId }, request, { action, target, detail }) =>
    auditLog.insertEntry({
      audit_id: newId('aud'),
      account_id: accountId,
      at: now(),
      action,
      actor: { user_id: user.user_id, email: user.email },
      address: request.ip ?? 'unknown',
      target,
      detail: detail ?? null,
    });
}
