import type { Connection, mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW } from '../changed-since.ts';
import { nativeCollection } from '../writing/native-collection.ts';
import { fromConversationDocument } from './conversation-conversion.ts';
import type { Conversation, ConversationDocument } from './conversation-document.ts';

/** A write that takes place only if the conversation still has this revision. It adds 1. */
export interface GuardedLink {
  readonly conversation_id: string;
  readonly revision: number;
}

/** The links of conversations to their leads. They are outside of the fold. Times are milliseconds since the Unix epoch. */
export interface ConversationLinks {
  /** The ids of conversations that have waited since `before`, the longest first. */
  dueSince(before: number, limit: number): Promise<readonly string[]>;
  /** The ids of the account's conversations that wait. */
  waitingIn(accountId: string): Promise<readonly string[]>;
  /** Makes the conversations wait that have stored one of these keys. Returns their ids. */
  makeDue(accountId: string, keys: readonly string[], at: number): Promise<readonly string[]>;
  /** Makes the conversations of these leads wait. Returns their ids. */
  makeDueOfLeads(accountId: string, leadIds: readonly string[], at: number): Promise<readonly string[]>;
  /** Stores the keys by which `makeDue` finds a conversation. Returns false if another writer was first. */
  writeKeys(guard: GuardedLink, keys: readonly string[]): Promise<boolean>;
  /**
   * Ends the wait. `lead`: the lead that the conversation gets. `kept`: the lead of the conversation stays, and its keys go, so no
   * other lead makes it wait. Undefined: the lead stays, or none, and so do the keys. Returns undefined if another writer was first.
   */
  endWait(
    guard: GuardedLink,
    lead?: { readonly lead_id: string } | 'kept',
  ): Promise<Conversation | undefined>;
}

/** Links conversations. Call `createConversations` on the same connection first: it registers the model. */
export function createConversationLinks(connection: Connection): ConversationLinks {
  const collection = nativeCollection(connection.model<ConversationDocument>('Conversation'));
  const guarded = ({ conversation_id: _id, revision }: GuardedLink) => ({ _id, revision });
  const update = (fields: object) => fields as mongo.UpdateFilter<ConversationDocument>;
  async function wait(which: mongo.Filter<ConversationDocument>, at: number): Promise<readonly string[]> {
    const found = await collection.find(which).project<{ _id: string }>({ _id: 1 }).toArray();
    const ids = found.map(({ _id }) => _id);
    const due = { $set: { link_due_at: new Date(at) }, $inc: { revision: 1 } };
    if (ids.length > 0) await collection.updateMany({ ...which, _id: { $in: ids } }, update(due));
    return ids;
  }
  return {
    async dueSince(before, limit) {
      const due = collection.find({ link_due_at: { $lte: new Date(before) } });
      const found = await due
        .project<{ _id: string }>({ _id: 1 })
        .sort({ link_due_at: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    async waitingIn(account_id) {
      const waiting = collection.find({ account_id, link_due_at: { $exists: true } });
      const found = await waiting.project<{ _id: string }>({ _id: 1 }).toArray();
      return found.map(({ _id }) => _id);
    },
    makeDue: (account_id, keys, at) => wait({ account_id, unlinked_keys: { $in: [...keys] } }, at),
    makeDueOfLeads: (account_id, leadIds, at) => wait({ account_id, lead_id: { $in: [...leadIds] } }, at),
    async writeKeys(guard, keys) {
      const set = { $set: { unlinked_keys: keys }, $inc: { revision: 1 } };
      const { matchedCount } = await collection.updateOne(guarded(guard), update(set));
      return matchedCount === 1;
    },
    async endWait(guard, lead) {
      const linked = typeof lead === 'object' && { $set: { lead_id: lead.lead_id }, ...CHANGED_NOW };
      const document = await collection.findOneAndUpdate(
        guarded(guard),
        update({
          ...linked,
          $unset: { link_due_at: 1, ...(lead && { unlinked_keys: 1 }) },
          $inc: { revision: 1 },
        }),
        { ...CHANGE_WRITE, returnDocument: 'after' },
      );
      return document === null ? undefined : fromConversationDocument(document);
    },
  };
}
