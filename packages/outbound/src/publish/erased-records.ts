import type { ErasedTraces } from '@sluice/store/erasure/erased-traces';
import type { Leads } from '@sluice/store/leads/leads';
import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { SubscriptionDirectory } from '../directory/subscription-directory.ts';

export interface ErasedRecordsDeps {
  readonly leads: Pick<Leads, 'erasedAmong'>;
  readonly erasedTraces: Pick<ErasedTraces, 'linkedConversations' | 'erasedAt'>;
  readonly outboundChanges: Pick<OutboundChanges, 'erasableIds' | 'removeChanges'>;
  readonly directory: Pick<SubscriptionDirectory, 'renewVersion'>;
  /** Removes the log of attempts of these records. */
  readonly eraseLog?: ((accountId: string, recordIds: readonly string[]) => Promise<void>) | undefined;
}

/** Keeps the changes of erased leads from leaving. */
export interface ErasedRecords {
  /**
   * Removes what subscribers have not got yet of the leads that were erased, and of their conversations. Call it before their
   * `lead.erased` is published, so that nothing older leaves after it. Idempotent.
   */
  eraseOutbound(accountId: string, records: readonly PendingRecord[]): Promise<void>;
  /**
   * Removes the texts of all changes of records that are gone. Those that wait for a subscriber are not sent any more. A publisher
   * that runs meanwhile may add others: call it again later. Idempotent.
   */
  eraseRecords(accountId: string, recordIds: readonly string[]): Promise<void>;
  /** Leaves out what was erased meanwhile, and removes what an earlier try has stored of it. */
  withoutErased(records: readonly PendingRecord[]): Promise<readonly PendingRecord[]>;
}

const isErasure = ({ changes }: PendingRecord) => changes.some(({ kind }) => kind === 'lead.erased');

export function createErasedRecords(deps: ErasedRecordsDeps): ErasedRecords {
  const { leads, erasedTraces, outboundChanges, directory, eraseLog } = deps;

  async function eraseTexts(accountId: string, recordId: string, until: number): Promise<void> {
    await outboundChanges.removeChanges(await outboundChanges.erasableIds(accountId, recordId, until));
  }

  async function erase(accountId: string, recordIds: readonly string[], until: number): Promise<void> {
    for (const id of recordIds) await eraseTexts(accountId, id, until);
    await eraseLog?.(accountId, recordIds);
  }

  return {
    async eraseOutbound(accountId, records) {
      const erasures = records.filter(isErasure);
      if (erasures.length === 0) return;
      // A publisher that looked before the erasure is now stale, and looks again.
      await directory.renewVersion(accountId);
      for (const { id, changes } of erasures) {
        const conversations = await erasedTraces.linkedConversations(accountId, id);
        const ids = conversations.map(({ conversation_id }) => conversation_id);
        await erase(accountId, [id, ...ids], Math.max(...changes.map(({ at }) => at)));
      }
    },
    eraseRecords: (accountId, recordIds) => erase(accountId, recordIds, FOREVER),
    async withoutErased(records) {
      const idsOf = (name: PendingRecord['collection']) =>
        records.flatMap((one) => (one.collection === name && !isErasure(one) ? [one.id] : []));
      const [leadIds, conversationIds] = [idsOf('leads'), idsOf('conversations')];
      const erasedLeads = leadIds.length === 0 ? new Set() : await leads.erasedAmong(leadIds);
      const erasedAt =
        conversationIds.length === 0
          ? new Map<string, number>()
          : await erasedTraces.erasedAt(conversationIds);
      if (erasedLeads.size === 0 && erasedAt.size === 0) return records;
      const left: PendingRecord[] = [];
      for (const record of records) {
        const { id, account_id, collection } = record;
        const until = collection === 'leads' ? untilOf(erasedLeads.has(id)) : (erasedAt.get(id) ?? -1);
        const changes = isErasure(record) ? record.changes : record.changes.filter(({ at }) => at > until);
        // The erasure itself may look only afterwards, and finds nothing then.
        if (changes.length < record.changes.length) await eraseTexts(account_id, id, until);
        if (changes.length > 0)
          left.push(changes.length < record.changes.length ? { ...record, changes } : record);
      }
      return left;
    },
  };
}

const FOREVER = Date.UTC(9999, 0);
const untilOf = (erased: boolean): number => (erased ? FOREVER : -1);
