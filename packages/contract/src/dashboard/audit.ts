import { z } from 'zod';
import { instantText, pageOf, pageQuery } from './common.ts';

/** Everything that is audited, with the words that the page shows. */
export const AUDIT_ACTIONS = {
  'key.created': 'created the API key',
  'key.revoked': 'revoked the API key',
  'source.created': 'created the source',
  'source.activated': 'switched on the source',
  'source.deactivated': 'switched off the source',
  'source.changed': 'changed the settings of the source',
  'secret.revealed': 'revealed the signing secret of',
  'secret.rotated': 'rotated the signing secret of',
  'member.invited': 'invited',
  'member.invite_withdrawn': 'withdrew the invitation of',
  'member.joined': 'joined as',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed',
  'member.password_changed': 'changed the password of',
  'event.cancelled': 'cancelled the event',
  'event.deleted': 'deleted the event',
  'deliveries.reprocessed': 'reprocessed deliveries of',
  'dead_letter.retried': 'retried the dead letter',
  'dead_letter.dropped': 'dropped the dead letter',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;
const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];
export const auditAction = z.enum(AUDIT_ACTION_NAMES);

/** Who did what, when, from where. */
export const auditItem = z.object({
  audit_id: z.string(),
  at: instantText,
  action: auditAction,
  actor: z.object({ user_id: z.string(), email: z.string() }),
  address: z.string(),
  target: z.object({ id: z.string(), name: z.string() }),
  /** What else there is to say, such as `viewer -> admin`; null: nothing. */
  detail: z.string().nullable(),
});
export type AuditItem = z.infer<typeof auditItem>;

export const auditPage = pageOf(auditItem);
export type AuditPage = z.infer<typeof auditPage>;

export const auditQuery = z.object({ action: auditAction.optional(), ...pageQuery.shape });
export type AuditQuery = z.input<typeof auditQuery>;
