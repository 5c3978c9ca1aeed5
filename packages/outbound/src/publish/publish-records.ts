import { batchLists } from '@sluice/runtime/timing/batcher';
import type { AuditLog } from '@sluice/store/audit/audit-log';
import { auditOfChanges } from '@sluice/store/audit/audit-of-changes';
import type { LeadHistory } from '@sluice/store/leads/lead-history';
import type { Leads } from '@sluice/store/leads/leads';
import type { Pending } from '@sluice/store/pending/pending';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { ErasedRecords } from './erased-records.ts';
import type { PublishedToLog, PublishToLog } from './publish-to-log.ts';

export interface PublishRecordsDeps {
  readonly untold: Pick<Pending, 'clearPublished'>;
  readonly leadHistory: Pick<LeadHistory, 'insertRows' | 'deleteRows'>;
  readonly auditLog: Pick<AuditLog, 'insertEntries'>;
  readonly leads: Pick<Leads, 'erasedAmong'>;
  /** Absent: there are no subscriptions, so changes go into the history only. */
  readonly outbound?: Outbound | undefined;
  /** Links conversations to leads that have changed. Idempotent. */
  readonly linkLeads?: ((accountId: string, records: readonly PendingRecord[]) => Promise<void>) | undefined;
}

/** The parts that bring changes to subscriptions. */
export interface Outbound {
  readonly erased: Pick<ErasedRecords, 'eraseOutbound'>;
  readonly publishToLog: PublishToLog;
}

/**
 * Publishes changes of one account. `onPublished` is called once they are in the history, the audit log and the log of the account, so before they
 * are cleared from their records. Throws if a store is unavailable. Idempotent.
 */
export type PublishRecords = (
  accountId: string,
  records: readonly PendingRecord[],
  onPublished?: () => void,
) => Promise<PublishedToLog>;

/**
 * First the history, the audit log and the log of the account, then the record: whatever dies between them, the change is published again. Accounts are
 * published concurrently, and share round trips to MongoDB.
 */
export function createPublishRecords({
  untold,
  leadHistory,
  auditLog,
  leads,
  outbound,
  linkLeads,
}: PublishRecordsDeps): PublishRecords {
  const insertHistory = batchLists(leadHistory.insertRows);
  const insertAudit = batchLists(auditLog.insertEntries);
  const clear = batchLists(untold.clearPublished);

  async function publish(accountId: string, records: readonly PendingRecord[]) {
    await outbound?.erased.eraseOutbound(accountId, records);
    return outbound?.publishToLog(accountId, records);
  }

  return async (accountId, records, onPublished) => {
    const rows = records.filter(({ collection }) => collection === 'leads').flatMap(historyRows);
    const entries = records.flatMap(auditOfChanges);
    // At once: in a busy process each of these waits for the event loop.
    const [published] = await Promise.all([
      publish(accountId, records),
      rows.length > 0 && insertHistory(rows),
      entries.length > 0 && insertAudit(entries),
      linkLeads?.(accountId, records),
    ]);
    if (published?.status === 'fenced') return published;
    onPublished?.();
    const unchanged = await clear(records);
    if (unchanged || rows.length === 0) return { status: 'published' };
    // An erasure between the change and its history row would leave the row behind.
    const erased = await leads.erasedAmong([...new Set(rows.map(({ lead_id }) => lead_id))]);
    if (erased.size > 0) await leadHistory.deleteRows([...erased]);
    return { status: 'published' };
  };
}

function historyRows({ id, account_id, changes }: PendingRecord) {
  // An erased lead has no history. Addresses are for the audit log only.
  return changes
    .filter(({ kind }) => kind !== 'lead.erased')
    .map(({ doer: _, ...change }) => ({ lead_id: id, account_id, change }));
}
