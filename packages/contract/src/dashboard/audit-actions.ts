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
