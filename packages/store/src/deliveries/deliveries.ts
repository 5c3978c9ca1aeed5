import { createHash } from 'node:crypto';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { Mutable } from '@sluice/contract/text/mutable';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Connection, mongo } from 'mongoose';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { insertNew, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { DUPLICATE_KEY, refusedWrites } from '../writing/write-errors.ts';
import { type LogTtl, withLogTtl } from './log-ttl.ts';

/** A document of the collection `deliveries`: a Delivery with a Date, which the TTL index needs. */
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
  /**
   * Adds rows in one round trip. Idempotent: an existing row stays unchanged, because a retried job writes the same
   * rows.
   */
  insertDeliveries(rows: readonly Delivery[]): Promise<void>;
  /** Replaces the row with the same id, after a dead letter was retried. */
  replaceDelivery(row: Delivery): Promise<void>;
  /**
   * Writes the rows that count a source's folded refusals of one code (and secret) in one minute, in one round trip. The id of a row
   * is derived from these. `count` is the minute's count so far. The highest count wins, so writes may be repeated or arrive late.
   */
  upsertCounterRows(rows: readonly Delivery[]): Promise<void>;
  /**
   * Counts accepted upserts of these sources since a time (ms since the Unix epoch), without duplicates, up to
   * `limit`.
   */
  countAcceptedUpserts(sourceIds: readonly string[], sinceMs: number, limit: number): Promise<number>;
  /** Newest first. The rows are streamed from the server. */
  listDeliveries(query: DeliveryQuery): AsyncIterable<Delivery>;
}

/** Newest first; within a millisecond, the last admitted first. */
export const NEWEST_FIRST = { received_at: -1, sequence: -1, _id: -1 } as const;

/** Leaves the kept requests out of lists, except their sizes: each is up to 64 KiB. */
export const LISTED = {
  'request.body': 0,
  'request.content_type': 0,
  'request.user_agent': 0,
  'request.timestamp': 0,
  'request.signature_start': 0,
  'request.address': 0,
} as const;

/** Filter of the partial index on request ids. A query must contain exactly this filter to use the index. */
export const REFUSED = { code: { $type: 'string' } } as const;

/** Rows bypass mongoose's casts. Their types are in contract/delivery/delivery.ts. */
function deliverySchema(ttl: LogTtl) {
  return withLogTtl(
    nativeSchema<DeliveryDocument>()
      .index({ source_id: 1, ...NEWEST_FIRST })
      // The history of an event. Refusals have no event, so the index leaves them out.
      .index({ event_id: 1, received_at: -1 }, { partialFilterExpression: { event_id: { $type: 'string' } } })
      // Few rows: requests that weren't signed with the current secret, for a while after a rotation.
      .index(
        { source_id: 1, signed_with: 1, received_at: -1 },
        { partialFilterExpression: { signed_with: { $type: 'string' } } },
      )
      // The sender of a refused request knows only its request id. An accepted request has a delivery id, so no entry.
      .index({ request_id: 1 }, { partialFilterExpression: REFUSED })
      .index({ reprocess_of: 1 }, { partialFilterExpression: { reprocess_of: { $type: 'string' } } }),
    'received_at',
    ttl,
  );
}

export function createDeliveries(connection: Connection, ttl: LogTtl): Deliveries {
  const schema = deliverySchema(ttl);
  const collection = registerCollection(connection, 'Delivery', schema, 'deliveries');
  return {
    insertDeliveries: (rows) => insertNew(collection, rows.map(toDocument)),
    async replaceDelivery(row) {
      const { _id, ...replacement } = toDocument(row);
      await collection.replaceOne({ _id }, replacement, { upsert: true });
    },
    upsertCounterRows: (rows) => upsertCounterRows(collection, rows),
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

async function upsertCounterRows(
  collection: mongo.Collection<DeliveryDocument>,
  rows: readonly Delivery[],
): Promise<void> {
  if (rows.length === 0) return;
  const upserts = rows.map((row) => {
    const { _id, count, ...fixed } = toDocument({ ...row, delivery_id: counterRowId(row) });
    return { updateOne: { filter: { _id }, update: { $max: { count }, $setOnInsert: fixed }, upsert: true } };
  });
  const write = () => collection.bulkWrite(upserts, { ordered: false });
  // Two concurrent upserts may both insert. MongoDB retries the loser automatically; other engines don't.
  await write().catch((error: unknown) => {
    if (refusedWrites(error).some((refused) => refused.code !== DUPLICATE_KEY)) throw error;
    return write();
  });
}

/** The id of a counter row. Every worker that counts the same refusals of a minute derives the same id. */
export function counterRowId({
  source_id,
  code,
  unapplied,
  received_at,
  signed_with,
}: Pick<Delivery, 'source_id' | 'code' | 'unapplied' | 'received_at' | 'signed_with'>): string {
  const counted = [source_id, code ?? unapplied, Math.floor(received_at / MINUTE_MS)];
  const parts = JSON.stringify(signed_with === undefined ? counted : [...counted, signed_with]);
  return `dlv_n${createHash('sha256').update(parts).digest('hex').slice(0, 31)}`;
}

/**
 * Assigns field by field, because a spread is several times slower (bench/speed-tried.md) and there are thousands a
 * second.
 */
function toDocument(row: Delivery): DeliveryDocument {
  const { applied_at, origin, reprocess_of, request, signed_with, unapplied, mapped } = row;
  const { conversation_id, external_id } = row;
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
  if (conversation_id !== undefined) document.conversation_id = conversation_id;
  if (unapplied !== undefined) document.unapplied = unapplied;
  if (mapped !== undefined) document.mapped = mapped;
  if (external_id !== undefined) document.external_id = external_id;
  return document;
}

/** Converts a document to a row. */
export function fromDocument({ _id, schema_version: _, received_at, ...rest }: DeliveryDocument): Delivery {
  return { delivery_id: _id, ...rest, received_at: received_at.getTime() };
}
