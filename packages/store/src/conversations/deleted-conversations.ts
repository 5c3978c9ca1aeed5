import type { Connection, mongo } from 'mongoose';
import { CHANGE_WRITE } from '../changed-since.ts';
import { connectedDb } from '../connection/connected-db.ts';
import type { Source } from '../sources/source.ts';
import type { ConversationDocument, MessageDocument } from './conversation-document.ts';
import { endReply } from './conversation-messages.ts';

/** The conversations of channels that were deleted, or lost their reply URL. */
export interface DeletedConversations {
  /** Counts the conversations of a channel, up to `limit`. */
  countConversations(channel: Pick<Source, 'account_id' | 'source_id'>, limit: number): Promise<number>;
  /**
   * Removes the conversations of a channel with their messages, and the stored requests of its deliveries. Tombstones stay,
   * so that an action that still waits has no effect. `eraseMessages` is called with their ids, some at a time. Idempotent.
   */
  removeConversations(
    channel: Pick<Source, 'account_id' | 'source_id'>,
    eraseMessages: (conversationIds: readonly string[]) => Promise<void>,
  ): Promise<void>;
  /**
   * Ends the replies of a channel that are still pending, with the reason in a sentence. Call it once none is attempted any
   * more. Idempotent.
   */
  failReplies(channel: Pick<Source, 'account_id' | 'source_id'>, reason: string): Promise<void>;
  /** Removes the tombstones of a channel. Call it once no action of the channel can be waiting any more. */
  forgetRemoved(channelId: string): Promise<void>;
}

/** The account of a tombstone, so that no list of an account has it. */
export const NO_ACCOUNT = '';

/** Conversations or replies that are handled together. */
const GROUP = 500;

const WITHOUT_CONTENT = { $unset: { request: 1 }, $set: { title: null } };

/** Call `createConversations` on the same connection first: it makes the indexes. */
export function createDeletedConversations(connection: Connection): DeletedConversations {
  const conversations = () => connectedDb(connection).collection<ConversationDocument>('conversations');
  const messages = () => connectedDb(connection).collection<MessageDocument>('conversation_messages');
  return {
    countConversations: ({ account_id, source_id: channel_id }, limit) =>
      conversations().countDocuments({ account_id, channel_id }, { limit }),
    async removeConversations({ account_id, source_id: channel_id }, eraseMessages) {
      const live = conversations().find({ account_id, channel_id });
      // First the record: a write that has loaded it before fails, and later actions leave it unchanged.
      for await (const { _id } of live.project<Pick<ConversationDocument, '_id'>>({ _id: 1 }))
        while (!(await replaceByTombstone(conversations(), _id)));
      // Also those of earlier sweeps: a worker may have written a message just after.
      const removed = conversations().find({ account_id: NO_ACCOUNT, channel_id });
      const ofRemoved = removed.project<Pick<ConversationDocument, '_id'>>({ _id: 1 });
      for await (const ids of inGroups(ofRemoved, ({ _id }) => _id)) {
        for (const conversation_id of ids) await messages().deleteMany({ conversation_id });
        await eraseMessages(ids);
      }
      await connectedDb(connection)
        .collection('deliveries')
        .updateMany({ source_id: channel_id }, WITHOUT_CONTENT);
    },
    async failReplies({ account_id, source_id: channel_id }, reason) {
      // Few: a reply that is attempted ends within minutes. A channel may have had any number of conversations.
      const pending = messages().find({ account_id, delivery: 'pending' });
      const found = pending.project<Pick<MessageDocument, 'conversation_id'>>({ _id: 0, conversation_id: 1 });
      for await (const ids of inGroups(found, ({ conversation_id }) => conversation_id)) {
        const its = conversations().find({ _id: { $in: [...new Set(ids)] }, channel_id });
        const own = await its.project<Pick<ConversationDocument, '_id'>>({ _id: 1 }).toArray();
        await messages().updateMany(
          { account_id, delivery: 'pending', conversation_id: { $in: own.map(({ _id }) => _id) } },
          endReply('failed', reason),
          CHANGE_WRITE,
        );
      }
    },
    async forgetRemoved(channel_id) {
      await conversations().deleteMany({ account_id: NO_ACCOUNT, channel_id });
    },
  };
}

/** The ids in documents, GROUP at a time. */
async function* inGroups<Document>(
  documents: AsyncIterable<Document>,
  idOf: (document: Document) => string,
): AsyncGenerator<readonly string[]> {
  let ids: string[] = [];
  for await (const document of documents) {
    ids.push(idOf(document));
    if (ids.length < GROUP) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

/** Returns false if another writer was first. */
async function replaceByTombstone(
  collection: mongo.Collection<ConversationDocument>,
  _id: string,
): Promise<boolean> {
  const found = await collection.findOne({ _id });
  if (found === null) return true;
  const { lead_id, revision, channel_id, first_sequence, sequence, created_at, updated_at } = found;
  const tombstone: Omit<ConversationDocument, '_id'> = {
    schema_version: 1,
    account_id: NO_ACCOUNT,
    channel_id,
    external_id: '',
    status: 'closed',
    first_sequence,
    last_message_sequence: 0,
    sequence,
    recent_messages: [],
    created_at,
    updated_at,
    // The erasure of the lead also removes what subscribers have not got yet of its conversations.
    ...(lead_id !== undefined && { lead_id }),
    // No action has a higher sequence number, so none has an effect.
    erased_sequence: Number.MAX_SAFE_INTEGER,
    revision: revision + 1,
  };
  return (await collection.replaceOne({ _id, revision }, tombstone)).matchedCount === 1;
}
