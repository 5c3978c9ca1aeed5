import type { ConversationStatus } from '@sluice/contract/conversation';
import { type ConversationState, statusOf } from '@sluice/contract/conversation-state';
import { type Connection, type mongo, Schema } from 'mongoose';
import type { ConversationWrite, StoredConversation } from './conversation-document.ts';
import { nativeCollection } from './native-collection.ts';
import { type Page, readPage } from './read-page.ts';
import { type StoredChange, toStoredChange } from './stored-change.ts';
import { DUPLICATE_KEY, isNeverStorable, reasonOf, refusedWrites } from './write-errors.ts';

/** Selects conversations of one account. All conditions must match. */
export interface ConversationFilter {
  readonly account_id: string;
  readonly status?: ConversationStatus;
  readonly channel_id?: string;
  readonly lead_id?: string;
  readonly external_id?: string;
  /** Milliseconds since the Unix epoch, included. */
  readonly updated_since?: number;
}

export const CONVERSATION_SORTS = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type ConversationSort = (typeof CONVERSATION_SORTS)[number];

export interface ConversationPage {
  readonly sort: ConversationSort;
  /** The last conversation of the previous page. `at` is its time of the sort, in milliseconds. */
  readonly after?: { readonly at: number; readonly conversation_id: string };
  readonly limit: number;
}

export type ConversationWriteResult =
  | { readonly status: 'written' }
  /** Another writer was first: load, fold and write again. */
  | { readonly status: 'lost_race' }
  | { readonly status: 'rejected'; readonly reason: string };

export interface Conversations {
  loadConversations(ids: readonly string[]): Promise<ReadonlyMap<string, StoredConversation>>;
  /** Results are in the order of the writes. Throws for infrastructure errors; all writes can be folded again. */
  writeConversations(writes: readonly ConversationWrite[]): Promise<ConversationWriteResult[]>;
  findConversation(id: string): Promise<StoredConversation | undefined>;
  pageConversations(filter: ConversationFilter, page: ConversationPage): Promise<Page<StoredConversation>>;
}

interface ConversationDocument extends Omit<StoredConversation, 'conversation_id' | 'updated_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  /** Derived from the registers, for lists. */
  readonly status: ConversationStatus;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly untold?: readonly StoredChange[];
  readonly untold_at?: Date;
}

function conversationSchema() {
  return new Schema<ConversationDocument>({ _id: String }, { strict: false, versionKey: false })
    .index({ account_id: 1, updated_at: -1, _id: -1 })
    .index({ account_id: 1, created_at: -1, _id: -1 })
    .index({ account_id: 1, status: 1, updated_at: -1, _id: -1 })
    .index({ account_id: 1, lead_id: 1 }, { partialFilterExpression: { lead_id: { $type: 'string' } } })
    .index({ untold_at: 1 }, { partialFilterExpression: { untold_at: { $type: 'date' } } });
}

const MAX_TIME_MS = 5000;

export function createConversations(connection: Connection): Conversations {
  const model = connection.model<ConversationDocument>('Conversation', conversationSchema(), 'conversations');
  const collection = nativeCollection(model);
  return {
    async loadConversations(ids) {
      const found = await collection
        .find({ _id: { $in: [...ids] } }, { readConcern: { level: 'majority' }, projection: { untold: 0 } })
        .toArray();
      return new Map(found.map((document) => [document._id, fromDocument(document)]));
    },
    async writeConversations(writes) {
      const results: ConversationWriteResult[] = writes.map(() => ({ status: 'written' }));
      try {
        await collection.bulkWrite(writes.map(toOperation), { ordered: false });
      } catch (error) {
        for (const refused of refusedWrites(error)) {
          if (refused.code === DUPLICATE_KEY) results[refused.index] = { status: 'lost_race' };
          else if (isNeverStorable(refused))
            results[refused.index] = { status: 'rejected', reason: reasonOf(refused) };
          else throw error;
        }
      }
      return results;
    },
    async findConversation(id) {
      const document = await collection.findOne({ _id: id }, { maxTimeMS: MAX_TIME_MS });
      return document === null ? undefined : fromDocument(document);
    },
    async pageConversations(filter, { sort, after, limit }) {
      const direction = sort.startsWith('-') ? -1 : 1;
      const field = sort.endsWith('created_at') ? 'created_at' : 'updated_at';
      const wanted = conditions(filter);
      const cursor = collection
        .find(after === undefined ? wanted : { $and: [wanted, beyond(field, direction, after)] }, {
          maxTimeMS: MAX_TIME_MS,
          projection: { untold: 0 },
        })
        .sort({ [field]: direction, _id: direction })
        .limit(limit + 1);
      return readPage(cursor, limit, fromDocument);
    },
  };
}

/** With another revision, the upsert tries to insert and collides on `_id`. So no write overwrites a state it has not seen. */
function toOperation({
  conversation,
  expectedRevision,
  changes,
}: ConversationWrite): mongo.AnyBulkWriteOperation<ConversationDocument> {
  const { conversation_id: _id, updated_at, lead_id, ...rest } = conversation;
  const $set = {
    ...rest,
    schema_version: 1 as const,
    status: statusOf(rest.state),
    created_at: new Date(Math.floor((rest.state.created ?? 0) / 1000)),
    updated_at: new Date(updated_at),
  };
  const told = changes[0] && {
    $push: { untold: { $each: changes.map(toStoredChange) } },
    $min: { untold_at: new Date(changes[0].at) },
  };
  const update = { $set, $setOnInsert: { lead_id }, ...told } as mongo.UpdateFilter<ConversationDocument>;
  return { updateOne: { filter: { _id, revision: expectedRevision }, update, upsert: true } };
}

function conditions({ updated_since, ...exact }: ConversationFilter): mongo.Filter<ConversationDocument> {
  const present = Object.entries(exact).filter(([, value]) => value !== undefined);
  const since = updated_since === undefined ? {} : { updated_at: { $gte: new Date(updated_since) } };
  return { ...Object.fromEntries(present), ...since };
}

function beyond(
  field: 'created_at' | 'updated_at',
  direction: 1 | -1,
  { at, conversation_id }: NonNullable<ConversationPage['after']>,
): mongo.Filter<ConversationDocument> {
  const operator = direction === 1 ? '$gt' : '$lt';
  const time = new Date(at);
  return {
    $or: [{ [field]: { [operator]: time } }, { [field]: time, _id: { [operator]: conversation_id } }],
  } as mongo.Filter<ConversationDocument>;
}

function fromDocument(document: ConversationDocument): StoredConversation {
  const { _id, account_id, channel_id, external_id, state, revision, recent, sequence } = document;
  return {
    conversation_id: _id,
    ...{ account_id, channel_id, external_id, revision, recent, sequence },
    state: state as ConversationState,
    lead_id: document.lead_id ?? null,
    updated_at: document.updated_at.getTime(),
  };
}
