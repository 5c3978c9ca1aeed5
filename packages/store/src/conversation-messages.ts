import { type Connection, type mongo, Schema } from 'mongoose';
import type { StoredMessage } from './conversation-document.ts';
import { nativeCollection } from './native-collection.ts';
import { type Page, readPage } from './read-page.ts';
import { DUPLICATE_KEY, refusedWrites } from './write-errors.ts';

export interface MessagePage {
  /** Newest first instead of oldest first. */
  readonly descending: boolean;
  /** The last message of the previous page. */
  readonly after?: { readonly sent_at: number; readonly sequence: number; readonly message_id: string };
  readonly limit: number;
}

/** A message with the time that orders it, in milliseconds since the Unix epoch. */
export interface ListedMessage extends StoredMessage {
  readonly sent_at: number;
}

export interface ConversationMessages {
  /**
   * Stores messages. Of those with one id, the highest sequence number wins, in any order and however often. Throws for
   * infrastructure errors, and can be repeated.
   */
  putMessages(messages: readonly StoredMessage[]): Promise<void>;
  findMessage(messageId: string): Promise<ListedMessage | undefined>;
  pageMessages(conversationId: string, page: MessagePage): Promise<Page<ListedMessage>>;
}

interface MessageDocument extends Omit<StoredMessage, 'message_id'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly sent_at: Date;
}

function messageSchema() {
  return new Schema<MessageDocument>({ _id: String }, { strict: false, versionKey: false }).index({
    conversation_id: 1,
    sent_at: 1,
    first: 1,
    _id: 1,
  });
}

const MAX_TIME_MS = 5000;

export function createConversationMessages(connection: Connection): ConversationMessages {
  const model = connection.model<MessageDocument>(
    'ConversationMessage',
    messageSchema(),
    'conversation_messages',
  );
  const collection = nativeCollection(model);

  /** Returns the messages that another writer changed meanwhile. */
  async function attempt(messages: readonly StoredMessage[]): Promise<StoredMessage[]> {
    const ids = messages.map(({ message_id }) => message_id);
    const found = await collection
      .find({ _id: { $in: ids } }, { readConcern: { level: 'majority' } })
      .toArray();
    const known = new Map(found.map((document) => [document._id, fromDocument(document)]));
    const writes = messages.flatMap((message) => {
      const before = known.get(message.message_id);
      const after = mergedMessage(before, message);
      return after === before ? [] : [{ message, before, after }];
    });
    if (writes.length === 0) return [];
    try {
      await collection.bulkWrite(writes.map(toOperation), { ordered: false });
      return [];
    } catch (error) {
      const refused = refusedWrites(error);
      if (refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return refused.flatMap(({ index }) => writes[index]?.message ?? []);
    }
  }

  return {
    async putMessages(messages) {
      const byId = new Map<string, StoredMessage>();
      for (const one of messages) byId.set(one.message_id, mergedMessage(byId.get(one.message_id), one));
      let left: StoredMessage[] = [...byId.values()];
      while (left.length > 0) left = await attempt(left);
    },
    async findMessage(messageId) {
      const document = await collection.findOne({ _id: messageId }, { maxTimeMS: MAX_TIME_MS });
      return document === null ? undefined : fromDocument(document);
    },
    async pageMessages(conversation_id, { descending, after, limit }) {
      const direction = descending ? -1 : 1;
      const wanted: mongo.Filter<MessageDocument> = { conversation_id };
      const cursor = collection
        .find(after === undefined ? wanted : { $and: [wanted, beyond(descending, after)] }, {
          maxTimeMS: MAX_TIME_MS,
        })
        .sort({ sent_at: direction, first: direction, _id: direction })
        .limit(limit + 1);
      return readPage(cursor, limit, fromDocument);
    },
  };
}

/** Merges two versions of one message. The order does not matter. Returns `before` itself if nothing changes. */
export function mergedMessage<T extends StoredMessage>(
  before: T | undefined,
  message: StoredMessage,
): T | StoredMessage {
  if (before === undefined) return message;
  const first = Math.min(before.first, message.first);
  if (message.sequence > before.sequence) return { ...message, first };
  return first === before.first ? before : { ...before, first };
}

/** The time that orders a message: the channel's, or else that of its first request. */
export function sentAtOf({ given_sent_at, first }: StoredMessage): number {
  return given_sent_at ?? Math.floor(first / 1000);
}

/** If another writer was first, the upsert tries to insert and collides on `_id`. */
function toOperation({
  before,
  after,
}: {
  readonly before: StoredMessage | undefined;
  readonly after: StoredMessage;
}): mongo.AnyBulkWriteOperation<MessageDocument> {
  const { message_id: _id, ...rest } = after;
  const replacement = { ...rest, schema_version: 1 as const, sent_at: new Date(sentAtOf(after)) };
  if (before === undefined) return { insertOne: { document: { _id, ...replacement } } };
  const filter = { _id, sequence: before.sequence, first: before.first };
  return { replaceOne: { filter, replacement, upsert: true } };
}

/** Messages of one instant are ordered by their first sequence number. */
function beyond(
  descending: boolean,
  { sent_at, sequence, message_id }: NonNullable<MessagePage['after']>,
): mongo.Filter<MessageDocument> {
  const operator = descending ? '$lt' : '$gt';
  const at = new Date(sent_at);
  return {
    $or: [
      { sent_at: { [operator]: at } },
      { sent_at: at, first: { [operator]: sequence } },
      { sent_at: at, first: sequence, _id: { [operator]: message_id } },
    ],
  } as mongo.Filter<MessageDocument>;
}

function fromDocument({ _id, schema_version: _, sent_at, ...rest }: MessageDocument): ListedMessage {
  return { message_id: _id, ...rest, sent_at: sent_at.getTime() };
}
