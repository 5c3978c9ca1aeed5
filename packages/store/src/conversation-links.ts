import type { Connection, mongo } from 'mongoose';
import { fromConversationDocument } from './conversation-conversion.ts';
import type { Conversation, ConversationDocument } from './conversation-document.ts';
import { nativeCollection } from './native-collection.ts';

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
  /** Makes the conversations without a lead wait whose contact has one of these keys. Returns their ids. */
  makeDue(accountId: string, keys: readonly string[], at: number): Promise<readonly string[]>;
  /** Stores the keys by which `makeDue` finds a conversation. Returns false if another writer was first. */
  writeKeys(guard: GuardedLink, keys: readonly string[]): Promise<boolean>;
  /**
   * Ends the wait. `lead` undefined: the conversation keeps the lead that it has, or none. Returns undefined if another
   * writer was first.
   */
  endWait(
    guard: GuardedLink,
    lead?: { readonly lead_id: string; readonly updated_at: number },
  ): Promise<Conversation | undefined>;
}

/** Links conversations. Call `createConversations` on the same connection first: it registers the model. */
export function createConversationLinks(connection: Connection): ConversationLinks {
  const collection = nativeCollection(connection.model<ConversationDocument>('Conversation'));
  const guarded = ({ conversation_id: _id, revision }: GuardedLink) => ({ _id, revision });
  const update = (fields: object) => fields as mongo.UpdateFilter<ConversationDocument>;
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
    async makeDue(account_id, keys, at) {
      const unlinked = { account_id, unlinked_keys: { $in: [...keys] } };
      const found = await collection.find(unlinked).project<{ _id: string }>({ _id: 1 }).toArray();
      const ids = found.map(({ _id }) => _id);
      if (ids.length > 0)
        await collection.updateMany(
          { _id: { $in: ids }, unlinked_keys: { $in: [...keys] } },
          update({ $set: { link_due_at: new Date(at) }, $inc: { revision: 1 } }),
        );
      return ids;
    },
    async writeKeys(guard, keys) {
      const set = { $set: { unlinked_keys: keys }, $inc: { revision: 1 } };
      const { matchedCount } = await collection.updateOne(guarded(guard), update(set));
      return matchedCount === 1;
    },
    async endWait(guard, lead) {
      const linked = lead && {
        $set: { lead_id: lead.lead_id, updated_at: new Date(lead.updated_at) },
      };
      const document = await collection.findOneAndUpdate(
        guarded(guard),
        update({
          ...linked,
          $unset: { link_due_at: 1, ...(lead && { unlinked_keys: 1 }) },
          $inc: { revision: 1 },
        }),
        { returnDocument: 'after' },
      );
      return document === null ? undefined : fromConversationDocument(document);
    },
  };
}
