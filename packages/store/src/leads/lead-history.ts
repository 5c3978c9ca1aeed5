import type { PendingChange } from '@sluice/contract/message/change';
import type { Connection } from 'mongoose';
import { fromStoredChange, type StoredChange, toStoredChange } from '../pending/stored-change.ts';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { insertNew, isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';

/** A change of a lead that was published. */
export interface HistoryRow {
  readonly account_id: string;
  readonly lead_id: string;
  readonly change: PendingChange;
}

export interface LeadHistory {
  /** Adds rows in one round trip. Idempotent: an existing row stays unchanged. */
  insertRows(rows: readonly HistoryRow[]): Promise<void>;
  /** Changes of a lead, newest first, before a sequence number. See read-page.ts for the limits of a page. */
  pageRows(
    leadId: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<Page<PendingChange>>;
  /** The id of the lead that a request has changed. `requestId`: see PendingChange.request_id. */
  findChangedBy(accountId: string, requestId: string): Promise<string | undefined>;
  deleteRows(leadIds: readonly string[]): Promise<void>;
}

interface HistoryDocument extends StoredChange {
  /** The lead's id and the sequence number. */
  readonly _id: string;
  readonly schema_version: 1;
  readonly account_id: string;
  readonly lead_id: string;
}

function historySchema() {
  return nativeSchema<HistoryDocument>()
    .index({ lead_id: 1, sequence: -1 })
    .index({ request_id: 1 }, isSet('request_id'));
}

export function createLeadHistory(connection: Connection): LeadHistory {
  const collection = registerCollection(connection, 'LeadHistory', historySchema(), 'lead_history');
  return {
    async insertRows(rows) {
      await insertNew(collection, rows.map(toDocument));
    },
    async pageRows(lead_id, { before, limit }) {
      const filter = { lead_id, ...(before !== undefined && { sequence: { $lt: before } }) };
      const cursor = collection
        .find(filter)
        .sort({ sequence: -1 })
        .limit(limit + 1)
        .batchSize(LIST_BATCH);
      return readPage(cursor, limit, fromStoredChange);
    },
    async findChangedBy(account_id, request_id) {
      const row = await collection.findOne({ request_id, account_id }, { projection: { lead_id: 1 } });
      return row?.lead_id;
    },
    async deleteRows(leadIds) {
      await collection.deleteMany({ lead_id: { $in: [...leadIds] } });
    },
  };
}

function toDocument({ account_id, lead_id, change }: HistoryRow): HistoryDocument {
  return {
    _id: `${lead_id}/${change.sequence}`,
    schema_version: 1,
    account_id,
    lead_id,
    ...toStoredChange(change),
  };
}
