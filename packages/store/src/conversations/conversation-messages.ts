import type { ReplyDelivery } from '@sluice/contract/conversation/conversation';
import type { Connection, mongo } from 'mongoose';
import {
  CHANGE_WRITE,
  CHANGED_NOW,
  type ChangedPage,
  changedOrder,
  changedSince,
  insertedNow,
} from '../changed-since.ts';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { withDates } from '../writing/stored-record.ts';
import { DUPLICATE_KEY, refusedWrites } from '../writing/write-errors.ts';
import {
  type ConversationMessage,
  type ListedMessage,
  MESSAGE,
  type MessageDocument,
} from './conversation-document.ts';

/** A message to store, and the stored version that it replaces; undefined: there was none. */
export interface MessageWrite {
  readonly message: ConversationMessage;
  readonly before: ConversationMessage | undefined;
}

export interface MessagePage {
  /** Newest first instead of oldest first. */
  readonly descending: boolean;
  /** The last message of the previous page. */
  readonly after?: Pick<ConversationMessage, 'sent_at' | 'sequence' | 'message_id'>;
  /** Only those that were changed then or later. Milliseconds since the Unix epoch. */
  readonly updatedSince?: number | undefined;
  readonly limit: number;
}

export interface ConversationMessages {
  /** Those of the ids that exist. Reads what a majority has, because a writer decides by it. */
  loadMessages(ids: readonly string[]): Promise<ReadonlyMap<string, ConversationMessage>>;
  /** `lost_race`: another writer changed one of them since it was loaded. The others are written. */
  writeMessages(writes: readonly MessageWrite[]): Promise<'written' | 'lost_race'>;
  /**
   * Ends a reply that is pending. Idempotent: a reply that has ended stays unchanged, except that one that failed may turn out
   * to be delivered, by an attempt that was under way. `reason`: why it failed, in a sentence.
   */
  settleReply(messageId: string, delivery: 'delivered' | 'failed', reason: string | null): Promise<void>;
  /** Ends those of the replies that are pending. Idempotent. `reason`: why they failed, in a sentence. */
  failReplies(messageIds: readonly string[], reason: string): Promise<void>;
  /** In the order of `sent_at`, then `sequence`. See read-page.ts for the limits of a page. */
  pageMessages(conversationId: string, page: MessagePage): Promise<Page<ListedMessage>>;
  /** In the order of `updated_at`. */
  pageChangedMessages(conversationId: string, page: ChangedPage): Promise<Page<ListedMessage>>;
}

const MAX_TIME_MS = 5000;

/** Messages bypass mongoose's casts. Their types are in conversation-document.ts. */
function messageSchema() {
  return (
    nativeSchema<MessageDocument>()
      .index({ conversation_id: 1, sent_at: 1, sequence: 1, _id: 1 })
      .index({ conversation_id: 1, updated_at: 1, _id: 1 })
      // Few entries: a channel that loses its reply URL ends them.
      .index({ account_id: 1, conversation_id: 1 }, { partialFilterExpression: { delivery: 'pending' } })
  );
}

export function createConversationMessages(connection: Connection): ConversationMessages {
  const collection = registerCollection(
    connection,
    'ConversationMessage',
    messageSchema(),
    'conversation_messages',
  );
  return {
    async loadMessages(ids) {
      if (ids.length === 0) return new Map();
      const options = { readConcern: { level: 'majority' } } as const;
      const found = await collection.find({ _id: { $in: [...ids] } }, options).toArray();
      return new Map(found.map((document) => [document._id, fromDocument(document)]));
    },
    async writeMessages(writes) {
      if (writes.length === 0) return 'written';
      try {
        const options = { ...CHANGE_WRITE, ordered: false };
        const result = await collection.bulkWrite(writes.map(toOperation), options);
        return result.upsertedCount + result.matchedCount === writes.length ? 'written' : 'lost_race';
      } catch (error) {
        if (refusedWrites(error).every(({ code }) => code === DUPLICATE_KEY)) return 'lost_race';
        throw error;
      }
    },
    async settleReply(messageId, delivery, reason) {
      const before: ReplyDelivery[] = delivery === 'delivered' ? ['pending', 'failed'] : ['pending'];
      const which = { _id: messageId, delivery: { $in: before } };
      await collection.updateOne(which, endReply(delivery, reason), CHANGE_WRITE);
    },
    async failReplies(messageIds, reason) {
      const which = { _id: { $in: [...messageIds] }, delivery: 'pending' as const };
      await collection.updateMany(which, endReply('failed', reason), CHANGE_WRITE);
    },
    async pageMessages(conversationId, { descending, after, updatedSince, limit }) {
      const direction = descending ? -1 : 1;
      const cursor = collection
        .find(
          {
            conversation_id: conversationId,
            ...(after && beyond(after, descending)),
            ...(updatedSince !== undefined && { updated_at: { $gte: new Date(updatedSince) } }),
          },
          { maxTimeMS: MAX_TIME_MS },
        )
        .sort({ sent_at: direction, sequence: direction, _id: direction })
        .limit(limit + 1)
        .batchSize(LIST_BATCH);
      return readPage(cursor, limit, MESSAGE.fromDocument);
    },
    async pageChangedMessages(conversation_id, page) {
      const cursor = collection
        .find(changedSince<MessageDocument>({ conversation_id }, page), { maxTimeMS: MAX_TIME_MS })
        .sort(changedOrder(page))
        .limit(page.limit + 1)
        .batchSize(LIST_BATCH);
      return readPage(cursor, page.limit, MESSAGE.fromDocument);
    },
  };
}

function toOperation({ message, before }: MessageWrite): mongo.AnyBulkWriteOperation<MessageDocument> {
  const { message_id: _id, ...rest } = message;
  const fields = { schema_version: 1 as const, ...withDates(rest, ['sent_at']) };
  if (before === undefined) return { updateOne: insertedNow({ _id, ...fields }) };
  const { sequence, first_sequence, delivery } = before;
  const filter = { _id, sequence, first_sequence, delivery };
  // A message has no optional field, so this replaces all of them.
  return { updateOne: { filter, update: { $set: fields, ...CHANGED_NOW } } };
}

/** Ends a reply. Run it with CHANGE_WRITE. */
export function endReply(delivery: 'delivered' | 'failed', delivery_reason: string | null) {
  return { $set: { delivery, delivery_reason }, ...CHANGED_NOW };
}

/** Without the time of the change: a writer compares messages, and its own has none. */
function fromDocument(document: MessageDocument): ConversationMessage {
  const { updated_at: _, ...message } = MESSAGE.fromDocument(document);
  return message;
}

/** The bound on the time alone lets the index start at the place. */
function beyond(
  { sent_at, sequence, message_id }: NonNullable<MessagePage['after']>,
  descending: boolean,
): mongo.Filter<MessageDocument> {
  const at = new Date(sent_at);
  const [further, orSame] = descending ? (['$lt', '$lte'] as const) : (['$gt', '$gte'] as const);
  return {
    sent_at: { [orSame]: at },
    // An edit raises the sequence number of a message, and must not show the last one of a page again.
    _id: { $ne: message_id },
    $or: [
      { sent_at: { [further]: at } },
      { sent_at: at, sequence: { [further]: sequence } },
      { sent_at: at, sequence, _id: { [further]: message_id } },
    ],
  } as mongo.Filter<MessageDocument>;
}
