import type { MessageStatus } from '@sluice/contract/webhook-delivery';
import { type Connection, type mongo, Schema } from 'mongoose';
import { beyondPlace } from './beyond-place.ts';
import { type LogTtl, withLogTtl } from './log-ttl.ts';
import { nativeCollection } from './native-collection.ts';
import { DUPLICATE_KEY, refusedWrites } from './write-errors.ts';

/** One try to deliver a message. */
export interface MessageAttempt {
  /** Unique among the attempts of its message, so that a log that is written twice has it once. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly duration_ms: number;
  /** `delivered`, or the reason why not, such as `timeout` (dispatcher: judge/judge-response.ts). */
  readonly code: string;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** A sentence for an admin about what happened. */
  readonly sentence: string;
  /** The start of the response's body; null without one, and once its record was erased. */
  readonly response: string | null;
  readonly redelivery: boolean;
}

/** A message with its attempts so far. Times are milliseconds since the Unix epoch. */
export interface WebhookMessage {
  readonly message_id: string;
  readonly account_id: string;
  readonly subscription_id: string;
  readonly change_id: string;
  readonly kind: string;
  readonly record_id: string;
  readonly status: MessageStatus;
  readonly attempts: readonly MessageAttempt[];
  /** When the next attempt is due at the earliest; null if none follows. */
  readonly next_attempt_at: number | null;
  /** When it was put into the mailbox. */
  readonly created_at: number;
}

/** A finished attempt, with what it makes of its message. */
export interface AttemptRow extends Omit<WebhookMessage, 'attempts'> {
  readonly attempt: MessageAttempt;
  /** The attempt changes neither status nor next attempt of a message that is in the log: a redelivery that failed. */
  readonly status_stays?: boolean;
}

export interface MessagesQuery {
  readonly subscription_id: string;
  readonly status?: MessageStatus | undefined;
  /** The last message of the previous page. */
  readonly after?: Pick<WebhookMessage, 'created_at' | 'message_id'> | undefined;
  readonly limit: number;
}

export type RecentAttempt = Pick<MessageAttempt, 'at' | 'duration_ms' | 'code' | 'redelivery' | 'sentence'>;

/** The health of a receiver is read from so many messages. */
const RECENT_MESSAGES = 500;

export interface WebhookMessages {
  /** Adds attempts in one round trip, or two if some messages exist. Idempotent. */
  logAttempts(rows: readonly AttemptRow[]): Promise<void>;
  /** Newest first. Fewer than `limit`: no further messages follow. */
  pageMessages(query: MessagesQuery): Promise<readonly WebhookMessage[]>;
  /** Those of the messages that were attempted, by id. */
  findMessages(
    subscriptionId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<WebhookMessage, 'message_id' | 'status'>>>;
  /** The attempts of the newest RECENT_MESSAGES messages, in no order. */
  recentAttempts(subscriptionId: string): Promise<readonly RecentAttempt[]>;
  /** Undefined if it is not of this subscription, or was never attempted. */
  findMessage(subscriptionId: string, messageId: string): Promise<WebhookMessage | undefined>;
  /** Removes responses to messages about erased records, and ends those that wait as `erased`. */
  eraseRecords(accountId: string, recordIds: readonly string[]): Promise<void>;
}

interface MessageDocument extends Omit<WebhookMessage, 'message_id' | 'next_attempt_at' | 'created_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  /** Present on messages about records that can be erased, for the index. */
  readonly erasable?: true;
  /** Present until the message is delivered, so that delivered messages, nearly all, have no entry in the index by status. */
  readonly undelivered?: true;
}

/** Further attempts drop the oldest. Ten retries and many redeliveries fit. */
const KEPT_ATTEMPTS = 50;

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;

function messageSchema(ttl: LogTtl) {
  return withLogTtl(
    new Schema<MessageDocument>({ _id: String }, { strict: false, versionKey: false })
      .index({ subscription_id: 1, ...NEWEST_FIRST })
      .index(
        { subscription_id: 1, status: 1, ...NEWEST_FIRST },
        { partialFilterExpression: { undelivered: { $exists: true } } },
      )
      .index({ record_id: 1 }, { partialFilterExpression: { erasable: { $exists: true } } }),
    'created_at',
    ttl,
  );
}

export function createWebhookMessages(connection: Connection, ttl: LogTtl): WebhookMessages {
  const model = connection.model<MessageDocument>('WebhookMessage', messageSchema(ttl), 'webhook_messages');
  const collection = nativeCollection(model);
  return {
    logAttempts: (rows) => logAttempts(collection, rows),
    async pageMessages({ subscription_id, status, after, limit }) {
      const filter = {
        subscription_id,
        ...(status !== undefined && ofStatus(status)),
        ...(after !== undefined &&
          beyondPlace<MessageDocument>('created_at', -1, { at: after.created_at, id: after.message_id })),
      };
      const found = await collection.find(filter).sort(NEWEST_FIRST).limit(limit).toArray();
      return found.map(fromDocument);
    },
    async findMessages(subscription_id, messageIds) {
      if (messageIds.length === 0) return new Map();
      const wanted = { _id: { $in: [...messageIds] }, subscription_id };
      const found = await collection.find(wanted, { projection: { status: 1 } }).toArray();
      return new Map(found.map(({ _id, status }) => [_id, { message_id: _id, status }]));
    },
    async recentAttempts(subscription_id) {
      const read = ['at', 'duration_ms', 'code', 'redelivery', 'sentence'];
      const projection = Object.fromEntries(read.map((field) => [`attempts.${field}`, 1]));
      const cursor = collection.find({ subscription_id }, { projection }).sort(NEWEST_FIRST);
      return (await cursor.limit(RECENT_MESSAGES).toArray()).flatMap(({ attempts }) => attempts);
    },
    async findMessage(subscription_id, messageId) {
      const found = await collection.findOne({ _id: messageId, subscription_id });
      return found === null ? undefined : fromDocument(found);
    },
    async eraseRecords(account_id, recordIds) {
      const wanted = { record_id: { $in: [...recordIds] }, account_id, erasable: { $exists: true } };
      await eraseResponses(collection, wanted);
      await collection.updateMany(
        { ...wanted, status: 'pending' },
        { $set: { status: 'erased', next_attempt_at: null } },
      );
    },
  };
}

/** The embedded store has no `$[]`, so each response is named by its place. An attempt that is added meanwhile moves none. */
async function eraseResponses(
  collection: mongo.Collection<MessageDocument>,
  wanted: mongo.Filter<MessageDocument>,
): Promise<void> {
  const found = await collection.find(wanted, { projection: { 'attempts.response': 1 } }).toArray();
  const updates = found.flatMap(({ _id, attempts }) => {
    const places = attempts.flatMap(({ response }, place) => (response === null ? [] : [place]));
    if (places.length === 0) return [];
    const $set = Object.fromEntries(places.map((place) => [`attempts.${place}.response`, null]));
    return [{ updateOne: { filter: { _id }, update: { $set } as mongo.UpdateFilter<MessageDocument> } }];
  });
  if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
}

/** Most messages are delivered at once: they are inserted. Only the others need an update. */
async function logAttempts(
  collection: mongo.Collection<MessageDocument>,
  rows: readonly AttemptRow[],
): Promise<void> {
  const merged = mergeRows(rows);
  if (merged.length === 0) return;
  const existing: Merged[] = [];
  try {
    await collection.insertMany(
      merged.map(({ document }) => document),
      { ordered: false },
    );
  } catch (error) {
    for (const { index, code } of refusedWrites(error)) {
      if (code !== DUPLICATE_KEY) throw error;
      existing.push(merged[index] as Merged);
    }
  }
  if (existing.length === 0) return;
  await collection.bulkWrite(existing.flatMap(updatesOf));
}

function updatesOf({ document, stays }: Merged): mongo.AnyBulkWriteOperation<MessageDocument>[] {
  const { _id, attempts, status, next_attempt_at } = document;
  const state = {
    $set: { status, next_attempt_at, ...(status !== 'delivered' && { undelivered: true }) },
    ...(status === 'delivered' && { $unset: { undelivered: 1 } }),
  };
  return attempts.map((attempt) => ({
    updateOne: {
      filter: { _id, 'attempts.id': { $ne: attempt.id } },
      update: {
        ...(!stays && state),
        $push: { attempts: { $each: [attempt], $slice: -KEPT_ATTEMPTS } },
      } as mongo.UpdateFilter<MessageDocument>,
    },
  }));
}

interface Merged {
  readonly document: MessageDocument;
  readonly stays: boolean;
}

/** One document for each message. The last row that changes the status decides it. */
function mergeRows(rows: readonly AttemptRow[]): Merged[] {
  const merged = new Map<string, { readonly deciding: AttemptRow; readonly attempts: MessageAttempt[] }>();
  for (const row of rows) {
    const before = merged.get(row.message_id);
    const deciding = row.status_stays && before !== undefined ? before.deciding : row;
    merged.set(row.message_id, { deciding, attempts: [...(before?.attempts ?? []), row.attempt] });
  }
  return [...merged.values()].map(({ deciding, attempts }) => ({
    document: toDocument(deciding, attempts),
    stays: deciding.status_stays === true,
  }));
}

function toDocument(row: AttemptRow, attempts: readonly MessageAttempt[]): MessageDocument {
  const { message_id, attempt: _, status_stays: __, next_attempt_at, created_at, ...rest } = row;
  const erasable = !rest.kind.startsWith('event.') && !rest.kind.startsWith('source.');
  return {
    _id: message_id,
    schema_version: 1,
    ...rest,
    attempts,
    next_attempt_at: next_attempt_at === null ? null : new Date(next_attempt_at),
    created_at: new Date(created_at),
    ...(erasable && { erasable }),
    ...(rest.status !== 'delivered' && { undelivered: true }),
  };
}

/** Delivered messages are found by time alone, as nearly all are. */
function ofStatus(status: MessageStatus): mongo.Filter<MessageDocument> {
  return status === 'delivered' ? { status } : { status, undelivered: { $exists: true } };
}

function fromDocument(document: MessageDocument): WebhookMessage {
  const { _id, schema_version: _, erasable: __, undelivered: ___, ...fields } = document;
  const { next_attempt_at, created_at, ...rest } = fields;
  return {
    message_id: _id,
    ...rest,
    next_attempt_at: next_attempt_at?.getTime() ?? null,
    created_at: created_at.getTime(),
  };
}
