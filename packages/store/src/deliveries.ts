import { createHash } from 'node:crypto';
import type { Delivery } from '@sluice/contract/delivery';
import type { Mutable } from '@sluice/contract/mutable';
import { type Connection, type mongo, Schema } from 'mongoose';
import { LIST_BATCH } from './list-batch.ts';
import { nativeCollection } from './native-collection.ts';
import { DUPLICATE_KEY, isDuplicateKey, refusedWrites } from './write-errors.ts';

/** A document of the collection `deliveries`: a Delivery with a Date, on which the TTL index works. */
export interface DeliveryDocument extends Omit<Delivery, 'delivery_id' | 'received_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly received_at: Date;
}

export interface DeliveryQuery {
  readonly source_id: string;
  readonly limit?: number;
}

export interface Deliveries {
  /** Adds rows in one round trip. A row that is there already stays as it is: a job that is run again writes the same rows. */
  insertDeliveries(rows: readonly Delivery[]): Promise<void>;
  /** Puts a row in the place of the one with its id: a dead letter that was run again. */
  replaceDelivery(row: Delivery): Promise<void>;
  /**
   * Keeps the one row that counts a source's folded refusals of a code (and secret) in a minute, under an id made of these.
   * `row.count` is the minute's count so far; the highest that was ever written stays, so writes may come twice or late.
   */
  upsertCounterRow(row: Delivery): Promise<void>;
  /** Accepted upserts of these sources since then (ms since the Unix epoch), repetitions not; counts up to `limit`. */
  countAcceptedUpserts(sourceIds: readonly string[], sinceMs: number, limit: number): Promise<number>;
  /** Newest first; read from the server as it is consumed. */
  listDeliveries(query: DeliveryQuery): AsyncIterable<Delivery>;
}

/** Newest first; in one millisecond by the order of admission. */
export const NEWEST_FIRST = { received_at: -1, sequence: -1, _id: -1 } as const;

/** Kept requests are up to 64 KiB each: a list has their sizes alone. */
export const LISTED = {
  'request.body': 0,
  'request.content_type': 0,
  'request.user_agent': 0,
  'request.timestamp': 0,
  'request.signature_start': 0,
} as const;

/** What the index of their request ids holds; whoever uses it has to ask for it in these words. */
export const REFUSED = { code: { $type: 'string' } } as const;

/** Written and read as they are, past mongoose's casts: their types are in contract/delivery.ts. */
function deliverySchema(retentionSeconds: number) {
  return (
    new Schema<DeliveryDocument>({ _id: String }, { strict: false, versionKey: false })
      .index({ source_id: 1, ...NEWEST_FIRST })
      // The history of an event. Refusals have none, so they are left out of it.
      .index({ event_id: 1, received_at: -1 }, { partialFilterExpression: { event_id: { $type: 'string' } } })
      // Few rows: those of requests that were not signed with the current secret, for a while after a rotation.
      .index(
        { source_id: 1, signed_with: 1, received_at: -1 },
        { partialFilterExpression: { signed_with: { $type: 'string' } } },
      )
      // Whoever was refused has the request's id alone. What was accepted has a delivery id, and pays for no entry here.
      .index({ request_id: 1 }, { partialFilterExpression: REFUSED })
      .index({ reprocess_of: 1 }, { partialFilterExpression: { reprocess_of: { $type: 'string' } } })
      .index({ received_at: 1 }, { expireAfterSeconds: retentionSeconds })
  );
}

export function createDeliveries(
  connection: Connection,
  { retentionSeconds }: { retentionSeconds: number },
): Deliveries {
  const schema = deliverySchema(retentionSeconds);
  const collection = nativeCollection(connection.model<DeliveryDocument>('Delivery', schema, 'deliveries'));
  return {
    insertDeliveries: (rows) => insertDeliveries(collection, rows),
    async replaceDelivery(row) {
      const { _id, ...replacement } = toDocument(row);
      await collection.replaceOne({ _id }, replacement, { upsert: true });
    },
    async upsertCounterRow(row) {
      const { _id, count, ...fixed } = toDocument({ ...row, delivery_id: counterRowId(row) });
      const write = () =>
        collection.updateOne({ _id }, { $max: { count }, $setOnInsert: fixed }, { upsert: true });
      // Two that both insert: not every engine tries the loser again by itself, as MongoDB does.
      await write().catch((error) => (isDuplicateKey(error) ? write() : Promise.reject(error)));
    },
    countAcceptedUpserts: (sourceIds, sinceMs, limit) =>
      collection.countDocuments(
        {
          source_id: { $in: [...sourceIds] },
          received_at: { $gte: new Date(sinceMs) },
          action: 'upsert',
          code: null,
          duplicate_of: null,
        },
        { limit },
      ),
    async *listDeliveries({ source_id, limit = 0 }) {
      const cursor = collection.find({ source_id }).sort(NEWEST_FIRST).limit(limit).batchSize(LIST_BATCH);
      for await (const document of cursor) yield fromDocument(document);
    },
  };
}

async function insertDeliveries(
  collection: mongo.Collection<DeliveryDocument>,
  rows: readonly Delivery[],
): Promise<void> {
  if (rows.length === 0) return;
  try {
    await collection.insertMany(rows.map(toDocument), { ordered: false });
  } catch (error) {
    if (refusedWrites(error).some((refused) => refused.code !== DUPLICATE_KEY)) throw error;
  }
}

const MINUTE_MS = 60_000;

/** The id of a counter row: every worker that counts the same refusals of a minute names the same row. */
export function counterRowId({
  source_id,
  code,
  received_at,
  signed_with,
}: Pick<Delivery, 'source_id' | 'code' | 'received_at' | 'signed_with'>): string {
  const counted = [source_id, code, Math.floor(received_at / MINUTE_MS)];
  const parts = JSON.stringify(signed_with === undefined ? counted : [...counted, signed_with]);
  return `dlv_n${createHash('sha256').update(parts).digest('hex').slice(0, 31)}`;
}

/** Field by field: there are thousands a second, and a spread costs a multiple (bench/speed-tried.md). */
function toDocument(row: Delivery): DeliveryDocument {
  const { applied_at, origin, reprocess_of, request, signed_with } = row;
  const document: Mutable<DeliveryDocument> = {
    _id: row.delivery_id,
    schema_version: 1,
    source_id: row.source_id,
    account_id: row.account_id,
    request_id: row.request_id,
    sequence: row.sequence,
    duplicate_of: row.duplicate_of,
    http_status: row.http_status,
    code: row.code,
    count: row.count,
    action: row.action,
    title: row.title,
    event_id: row.event_id,
    outcome: row.outcome,
    reason: row.reason,
    received_at: new Date(row.received_at),
  };
  if (applied_at !== undefined) document.applied_at = applied_at;
  if (request !== undefined) document.request = request;
  if (origin !== undefined) document.origin = origin;
  if (reprocess_of !== undefined) document.reprocess_of = reprocess_of;
  if (signed_with !== undefined) document.signed_with = signed_with;
  return document;
}

/** A document as the row that it is. */
export function fromDocument({ _id, schema_version: _, received_at, ...rest }: DeliveryDocument): Delivery {
  return { delivery_id: _id, ...rest, received_at: received_at.getTime() };
}
