import { AUDIT_ACTIONS, type AuditAction } from '@sluice/contract/account/audit-actions';
import * as z from 'zod';
import { instantText, pageOf, pageQuery } from './common.ts';

const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];
export const auditAction = z.enum(AUDIT_ACTION_NAMES);

/** An audit log entry: who did what, when, and from which address. */
export const auditItem = z.object({
  audit_id: z.string(),
  at: instantText,
  action: auditAction,
  /** A user, or an API key. */
  actor: z.union([
    z.object({ user_id: z.string(), email: z.string() }),
    z.object({ key_id: z.string(), name: z.string() }),
  ]),
  address: z.string(),
  target: z.object({ id: z.string(), name: z.string() }),
  /** More about the change, such as `viewer -> admin`; null if there is nothing to add. */
  detail: z.string().nullable(),
  /** The change has begun, and it is unknown whether it was made: it is in progress, or was interrupted. */
  unconfirmed: z.literal(true).optional(),
});
export type AuditItem = z.infer<typeof auditItem>;

export const auditPage = pageOf(auditItem);
export type AuditPage = z.infer<typeof auditPage>;

export const auditQuery = z.object({ action: auditAction.optional(), ...pageQuery.shape });
export type AuditQuery = z.input<typeof auditQuery>;
