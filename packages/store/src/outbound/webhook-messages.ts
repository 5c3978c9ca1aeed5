import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import type { Connection, mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW, type ChangedPage, changedOrder, changedSince } from '../changed-since.ts';
import { type LogTtl, withLogTtl } from '../deliveries/log-ttl.ts';
import { beyondPlace } from '../reading/beyond-place.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { LOG_RETENTION_MS } from './outbound-changes.ts';
import type {
  AttemptRow,
  MessageAttempt,
  UnattemptedMessage,
  WaitingMessage,
  WebhookMessage,
} from './webhook-message.ts';
import { fromDocument, type MessageDocument, toDocument } from './webhook-message-document.ts';
import {
  addBroughtOver,
  addRecovered,
  eraseResponses,
  insertAllNew,
  logAttempts,
  logDiscarded,
} from './webhook-message-writes.ts';

export interface MessagesQuery {
  readonly subscription_id: string;
  readonly status?: MessageStatus | undefined;
  /** The last message of the previous page. */
  readonly after?: Pick<WebhookMessage, 'created_at' | 'message_id'> | undefined;
  readonly limit: number;
}

/** A page of the log in the order of changes. */
export interface ChangedMessagesQuery extends ChangedPage {
  readonly subscription_id: string;
  readonly status?: MessageStatus | undefined;
}

export interface WaitingQuery {
  readonly subscription_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly dueBy?: number | undefined;
  /** Only those that were published then or later. Milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
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
  /** In the order of `updated_at`. Fewer than `limit`: no further messages follow. */
  pageChangedMessages(query: ChangedMessagesQuery): Promise<readonly WebhookMessage[]>;
  /** Those of the messages that were attempted, by id. */
  findMessages(
    subscriptionId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<WebhookMessage, 'message_id' | 'status'>>>;
  /** Those that wait for an attempt, oldest first. `dueBy`: only those that are due by then, the first due first. */
  waitingMessages(query: WaitingQuery): Promise<readonly WebhookMessage[]>;
  /** When the first of those that wait is due; null without any. Milliseconds since the Unix epoch. */
  firstDue(subscriptionId: string): Promise<number | null>;
  /** Counts those that wait for an attempt, of all these subscriptions together, up to `limit`. */
  countPending(subscriptionIds: readonly string[], limit: number): Promise<number>;
  /** When the oldest of those that wait was published; null without any. Milliseconds since the Unix epoch. */
  oldestPending(subscriptionId: string): Promise<number | null>;
  /** Counts the messages of changes with higher numbers than `place`, whatever became of them, up to `limit`. */
  countBeyond(subscriptionId: string, place: number, limit: number): Promise<number>;
  /** Ends those that wait and were published by then as `discarded`. Returns how many. Milliseconds since the Unix epoch. */
  discardPending(subscriptionId: string, until: number): Promise<number>;
  /** How many wait for each record. */
  waitingByRecord(subscriptionId: string): Promise<Map<string, number>>;
  /** Whether an earlier message of its record waits. */
  waitsBehind(
    message: Pick<WebhookMessage, 'subscription_id' | 'record_id' | 'status' | 'place'>,
  ): Promise<boolean>;
  /** Adds messages that wait behind others of their records. Messages that are known stay. Idempotent. */
  addWaiting(messages: readonly WaitingMessage[]): Promise<void>;
  /** Adds messages of mailboxes of 0.2.0. Those that are known and wait get their place, others stay. Idempotent. */
  addBroughtOver(messages: readonly WaitingMessage[]): Promise<void>;
  /** Those of the messages that still wait after their attempt had nothing to send: their records were erased, or they were too old. */
  endWithoutText(subscriptionId: string, messageIds: readonly string[]): Promise<void>;
  /** Messages that have failed or were discarded, or that are unknown, wait again. Others stay. Idempotent. */
  addRecovered(messages: readonly WaitingMessage[]): Promise<void>;
  /** All that wait are due at once. */
  makeDue(subscriptionId: string, at: number): Promise<void>;
  /** The attempts of the newest RECENT_MESSAGES messages, in no order. */
  recentAttempts(subscriptionId: string): Promise<readonly RecentAttempt[]>;
  /** Undefined if it is not of this subscription, or was never attempted. */
  findMessage(subscriptionId: string, messageId: string): Promise<WebhookMessage | undefined>;
  /** Ends messages that wait as `discarded`, and adds those without an attempt. Other messages stay. Idempotent. */
  logDiscarded(messages: readonly UnattemptedMessage[]): Promise<void>;
  /** Removes responses to messages about erased records, and ends those that wait as `erased`, but not `lead.erased`: it has only the id. */
  eraseRecords(accountId: string, recordIds: readonly string[]): Promise<void>;
}

const MAX_TIME_MS = 5000;
const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
const FIRST_DUE = { next_attempt_at: 1, created_at: 1, _id: 1 } as const;

/** A message that waits is kept as long as its text is, however short the log of deliveries is. */
function messageSchema({ retentionSeconds }: LogTtl) {
  return withLogTtl(
    nativeSchema<MessageDocument>()
      .index({ subscription_id: 1, ...NEWEST_FIRST })
      .index({ subscription_id: 1, updated_at: 1, _id: 1 })
      .index({ subscription_id: 1, status: 1, ...NEWEST_FIRST }, isSet('undelivered'))
      .index({ subscription_id: 1, status: 1, updated_at: 1, _id: 1 }, isSet('undelivered'))
      .index({ subscription_id: 1, status: 1, ...FIRST_DUE }, isSet('undelivered'))
      .index({ record_id: 1 }, isSet('erasable')),
    'created_at',
    { retentionSeconds: Math.max(retentionSeconds, LOG_RETENTION_MS / 1000) },
  );
}

export function createWebhookMessages(connection: Connection, ttl: LogTtl): WebhookMessages {
  const collection = registerCollection(connection, 'WebhookMessage', messageSchema(ttl), 'webhook_messages');
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
    async pageChangedMessages({ subscription_id, status, ...page }) {
      const equal = { subscription_id, ...(status !== undefined && ofStatus(status)) };
      const found = collection.find(changedSince<MessageDocument>(equal, page), { maxTimeMS: MAX_TIME_MS });
      return (await found.sort(changedOrder(page)).limit(page.limit).toArray()).map(fromDocument);
    },
    async findMessages(subscription_id, messageIds) {
      if (messageIds.length === 0) return new Map();
      const wanted = { _id: { $in: [...messageIds] }, subscription_id };
      const found = await collection.find(wanted, { projection: { status: 1 } }).toArray();
      return new Map(found.map(({ _id, status }) => [_id, { message_id: _id, status }]));
    },
    async waitingMessages({ subscription_id, dueBy, since, limit }) {
      const wanted = {
        ...{ subscription_id, ...ofStatus('pending') },
        ...(dueBy !== undefined && { next_attempt_at: { $lte: new Date(dueBy) } }),
        ...(since !== undefined && { created_at: { $gte: new Date(since) } }),
      };
      const order = dueBy === undefined ? ({ created_at: 1, _id: 1 } as const) : FIRST_DUE;
      return (await collection.find(wanted).sort(order).limit(limit).toArray()).map(fromDocument);
    },
    countPending: (ids, limit) =>
      collection.countDocuments(
        { subscription_id: { $in: [...ids] }, ...ofStatus('pending') },
        { limit, maxTimeMS: MAX_TIME_MS },
      ),
    async oldestPending(subscription_id) {
      const wanted = { subscription_id, ...ofStatus('pending') };
      const found = collection.find(wanted, { projection: { created_at: 1 }, maxTimeMS: MAX_TIME_MS });
      const [oldest] = await found.sort({ created_at: 1, _id: 1 }).limit(1).toArray();
      return oldest?.created_at.getTime() ?? null;
    },
    countBeyond: (subscription_id, place, limit) =>
      collection.countDocuments(
        { subscription_id, created_at: { $gte: new Date(Math.floor(place / 1000)) }, place: { $gt: place } },
        { limit, maxTimeMS: MAX_TIME_MS },
      ),
    async discardPending(subscription_id, until) {
      const wanted = { subscription_id, ...ofStatus('pending'), created_at: { $lte: new Date(until) } };
      const update = { $set: { status: 'discarded' as const, next_attempt_at: null }, ...CHANGED_NOW };
      return (await collection.updateMany(wanted, update, CHANGE_WRITE)).modifiedCount;
    },
    async waitingByRecord(subscription_id) {
      const found = collection.find(
        { subscription_id, ...ofStatus('pending') },
        { projection: { record_id: 1 } },
      );
      const counts = new Map<string, number>();
      for (const { record_id } of await found.toArray())
        counts.set(record_id, (counts.get(record_id) ?? 0) + 1);
      return counts;
    },
    async waitsBehind({ subscription_id, record_id, status, place }) {
      if (status !== 'pending' || place === undefined) return false;
      const earlier = { subscription_id, ...ofStatus('pending'), record_id, place: { $lt: place } };
      return (await collection.findOne(earlier, { projection: { _id: 1 } })) !== null;
    },
    async addWaiting(messages) {
      const documents = messages.map((message) => toDocument({ ...message, status: 'pending' }, []));
      await insertAllNew(collection, documents);
    },
    addBroughtOver: (messages) => addBroughtOver(collection, messages),
    addRecovered: (messages) => addRecovered(collection, messages),
    async endWithoutText(subscription_id, messageIds) {
      if (messageIds.length === 0) return;
      const wanted = { _id: { $in: [...messageIds] }, subscription_id, status: 'pending' as const };
      const update = { $set: { status: 'erased' as const, next_attempt_at: null }, ...CHANGED_NOW };
      await collection.updateMany(wanted, update, CHANGE_WRITE);
    },
    async makeDue(subscription_id, at) {
      const later = { next_attempt_at: { $gt: new Date(at) } };
      const wanted = { subscription_id, ...ofStatus('pending'), ...later } as mongo.Filter<MessageDocument>;
      const update = { $set: { next_attempt_at: new Date(at) }, ...CHANGED_NOW };
      await collection.updateMany(wanted, update, CHANGE_WRITE);
    },
    async firstDue(subscription_id) {
      const wanted = { subscription_id, ...ofStatus('pending') };
      const found = collection.find(wanted, { projection: { next_attempt_at: 1 } });
      const [first] = await found.sort({ next_attempt_at: 1 }).limit(1).toArray();
      return first?.next_attempt_at?.getTime() ?? null;
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
    logDiscarded: (messages) => logDiscarded(collection, messages),
    async eraseRecords(account_id, recordIds) {
      const wanted = { record_id: { $in: [...recordIds] }, account_id, erasable: { $exists: true } };
      await eraseResponses(collection, wanted);
      await collection.updateMany(
        { ...wanted, status: 'pending', kind: { $ne: 'lead.erased' } },
        { $set: { status: 'erased', next_attempt_at: null }, ...CHANGED_NOW },
        CHANGE_WRITE,
      );
    },
  };
}

/** Delivered messages are found by time alone, as nearly all are. */
function ofStatus(status: MessageStatus): mongo.Filter<MessageDocument> {
  return status === 'delivered' ? { status } : { status, undelivered: { $exists: true } };
}
