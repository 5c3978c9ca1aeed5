import type { ConversationStatus } from '@sluice/contract/conversation/conversation';
import type { PendingChange } from '@sluice/contract/message/change';
import type { Connection, mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW } from '../changed-since.ts';
import { keptChanges } from '../pending/stored-change.ts';
import { beyondPlace } from '../reading/beyond-place.ts';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';
import { conversationFields, fromConversationDocument } from './conversation-conversion.ts';
import type { Conversation, ConversationDocument } from './conversation-document.ts';

/** Selects conversations of an account. All conditions must match. */
export interface ConversationFilter {
  readonly account_id: string;
  readonly status?: ConversationStatus;
  readonly channel_id?: string;
  readonly lead_id?: string;
  readonly external_id?: string;
  /** Inclusive. Milliseconds since the Unix epoch. */
  readonly updated_since?: number;
}

/** `requested_at`: by the last request for a person. Only for the status `handoff_requested`. */
export type ConversationSort = 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'requested_at';

export interface ConversationPage {
  readonly sort: ConversationSort;
  /** The last conversation of the previous page: the time that the list is sorted by, and the id. */
  readonly after?: { readonly at: number; readonly conversation_id: string };
  readonly limit: number;
}

export interface Conversations {
  findConversation(accountId: string, conversationId: string): Promise<Conversation | undefined>;
  /** Those that exist, whatever their account. Reads what a majority has, because a writer decides by it. */
  loadConversations(ids: readonly string[]): Promise<ReadonlyMap<string, Conversation>>;
  /**
   * Stores a conversation with new changes, unless the stored one has another revision than `conversation.revision - 1`.
   * Returns it with the time of the write and all changes that are not published yet; undefined: another writer was first, so load it
   * again.
   */
  writeConversation(
    conversation: Conversation,
    changes: readonly PendingChange[],
  ): Promise<Conversation | undefined>;
  /** See read-page.ts for the limits of a page. */
  pageConversations(filter: ConversationFilter, page: ConversationPage): Promise<Page<Conversation>>;
}

const MAX_TIME_MS = 5000;

/** Conversations bypass mongoose's casts. Their types are in conversation-document.ts. */
function conversationSchema() {
  return nativeSchema<ConversationDocument>()
    .index({ account_id: 1, status: 1, updated_at: -1, _id: -1 })
    .index(
      { account_id: 1, 'requested.at': 1, _id: 1 },
      { partialFilterExpression: { status: 'handoff_requested' } },
    )
    .index({ account_id: 1, updated_at: -1, _id: -1 })
    .index({ account_id: 1, created_at: -1, _id: -1 })
    .index({ account_id: 1, channel_id: 1, updated_at: -1, _id: -1 })
    .index({ account_id: 1, lead_id: 1, updated_at: -1, _id: -1 }, isSet('lead_id'))
    .index({ account_id: 1, unlinked_keys: 1 }, isSet('unlinked_keys'))
    .index({ link_due_at: 1 }, isSet('link_due_at'))
    .index({ untold_at: 1 }, isSet('untold_at'));
}

export function createConversations(connection: Connection): Conversations {
  const collection = registerCollection(connection, 'Conversation', conversationSchema(), 'conversations');
  return {
    async findConversation(account_id, conversationId) {
      const document = await collection.findOne({ _id: conversationId, account_id });
      return document === null ? undefined : fromConversationDocument(document);
    },
    async loadConversations(ids) {
      const options = { readConcern: { level: 'majority' } } as const;
      const found = await collection.find({ _id: { $in: [...ids] } }, options).toArray();
      return new Map(found.map((document) => [document._id, fromConversationDocument(document)]));
    },
    writeConversation: (conversation, changes) => write(collection, conversation, changes),
    async pageConversations(filter, { sort, after, limit }) {
      const direction = sort.startsWith('-') ? -1 : 1;
      const by = sort === 'requested_at' ? 'requested.at' : sort.replace('-', '');
      const beyond = ({ at, conversation_id: id }: NonNullable<typeof after>) =>
        // The parts of a conversation store numbers.
        beyondPlace<ConversationDocument>(by, direction, { at, id }, by === 'requested.at' ? at : undefined);
      const cursor = collection
        .find(conditions(filter, after && beyond(after)), { maxTimeMS: MAX_TIME_MS })
        .sort({ [by]: direction, _id: direction })
        .limit(limit + 1)
        .batchSize(LIST_BATCH);
      return readPage(cursor, limit, fromConversationDocument);
    },
  };
}

async function write(
  collection: mongo.Collection<ConversationDocument>,
  conversation: Conversation,
  changes: readonly PendingChange[],
): Promise<Conversation | undefined> {
  const { conversation_id: _id, revision } = conversation;
  const update = {
    // Parts of a conversation are replaced, and never removed.
    $set: conversationFields(conversation),
    ...CHANGED_NOW,
    ...(changes.length > 0 && keptChanges(changes)),
  } as mongo.UpdateFilter<ConversationDocument>;
  const guard = { _id, revision: revision - 1 };
  const options = { ...CHANGE_WRITE, upsert: revision === 1, returnDocument: 'after' } as const;
  try {
    const document = await collection.findOneAndUpdate(guard, update, options);
    return document === null ? undefined : fromConversationDocument(document);
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

type Filter = mongo.Filter<ConversationDocument>;

function conditions({ updated_since, ...equal }: ConversationFilter, after: Filter = {}): Filter {
  const all: Filter[] = [equal, after];
  if (updated_since !== undefined) all.push({ updated_at: { $gte: new Date(updated_since) } });
  return { $and: all };
}
