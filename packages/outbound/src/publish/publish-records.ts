import { batchLists } from '@sluice/runtime/timing/batcher';
import type { AuditLog } from '@sluice/store/audit/audit-log';
import { auditOfChanges } from '@sluice/store/audit/audit-of-changes';
import type { LeadHistory } from '@sluice/store/leads/lead-history';
import type { Leads } from '@sluice/store/leads/leads';
import type { Pending } from '@sluice/store/pending/pending';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { ErasedRecords } from './erased-records.ts';
import type { FanOut } from './fan-out.ts';
import type { ForgetLater } from './forget-later.ts';

export interface PublishRecordsDeps {
  readonly untold: Pick<Pending, 'clearPublished' | 'stillPending'>;
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
  readonly fanOut: FanOut;
  readonly forgetLater: Pick<ForgetLater, 'add'>;
}

export type Published =
  | { readonly status: 'published' }
  /** A subscription of the account is being changed. Tell again soon: its fence ends within this time, and mostly much earlier. */
  | { readonly status: 'fenced'; readonly waitMs: number };

/**
 * Publishes changes of one account. `onPushed` is called once they are in the history, the audit log and the mailboxes, so before they
 * are cleared from their records. Throws if a store is unavailable. Idempotent.
 */
export type PublishRecords = (
  accountId: string,
  records: readonly PendingRecord[],
  onPushed?: () => void,
) => Promise<Published>;

const NONE: ReadonlySet<string> = new Set();

/**
 * First the history, the audit log and the mailboxes, then the record: whatever dies between them, the change is published again. Accounts are
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

  async function fanOut(accountId: string, records: readonly PendingRecord[]) {
    await outbound?.erased.eraseOutbound(accountId, records);
    return outbound?.fanOut(accountId, records);
  }

  return async (accountId, records, onPushed) => {
    const rows = records.filter(({ collection }) => collection === 'leads').flatMap(historyRows);
    const entries = records.flatMap(auditOfChanges);
    // At once: in a busy process each of these waits for the event loop.
    const [fanned] = await Promise.all([
      fanOut(accountId, records),
      rows.length > 0 && insertHistory(rows),
      entries.length > 0 && insertAudit(entries),
      linkLeads?.(accountId, records),
    ]);
    if (fanned?.status === 'fenced') return fanned;
    onPushed?.();
    const unchanged = await clear(records);
    if (fanned !== undefined) {
      // A mailbox that forgot a change before it is cleared would take it a second time.
      const still = unchanged ? NONE : await untold.stillPending(records);
      const cleared = fanned.published.filter(({ recordId }) => !still.has(recordId));
      outbound?.forgetLater.add(accountId, cleared);
    }
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
