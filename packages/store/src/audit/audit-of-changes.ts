import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { PendingChange } from '@sluice/contract/message/change';
import type { PendingRecord } from '../pending/pending-record.ts';
import type { AuditEntry } from './audit-log.ts';

const ACTIONS: Partial<Record<PendingChange['kind'], AuditAction>> = {
  'lead.created': 'lead.created',
  'lead.updated': 'lead.changed',
  'lead.stage_changed': 'lead.stage_changed',
  'lead.noted': 'lead.noted',
  'lead.erased': 'lead.erased',
};

/**
 * The audit entries of a record's changes: one for each change that names its doer. They follow from the changes, with the same
 * ids each time. So a process that dies after a write leaves no gap: the next publication writes the same entries.
 */
export function auditOfChanges({
  id,
  account_id,
  changes,
}: Pick<PendingRecord, 'id' | 'account_id' | 'changes'>): AuditEntry[] {
  return changes.flatMap((change) => {
    const { doer, kind, sequence, at } = change;
    const action = ACTIONS[kind];
    if (doer === undefined || action === undefined) return [];
    const audit_id = `aud_${id}/${sequence}`;
    // Fields without their values, and the record by its id: an erasure leaves nothing here.
    return { audit_id, account_id, at, action, ...doer, target: { id, name: id }, detail: detailOf(change) };
  });
}

function detailOf({ kind, data, previous }: PendingChange): string | null {
  if (kind === 'lead.stage_changed') return String(data.stage);
  return previous === undefined || kind === 'lead.noted' ? null : Object.keys(previous).join(', ');
}
