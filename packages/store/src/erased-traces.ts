import type { Connection, mongo } from 'mongoose';
import { connectedDb } from './connected-db.ts';

/** The traces of an erased lead in other collections. */
export interface ErasedTraces {
  /**
   * Removes contact, session data and messages of the lead's conversations, their untold changes, and the stored requests of
   * their deliveries. The conversations stay, without content. Idempotent.
   */
  removeConversations(accountId: string, leadId: string): Promise<void>;
  /** The ids of the lead's conversations. */
  linkedConversations(accountId: string, leadId: string): Promise<readonly string[]>;
  /** When the leads of these conversations were erased (ms since the Unix epoch). Only of those that were. */
  erasedAt(conversationIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

interface LinkedConversation {
  readonly _id: string;
  readonly channel_id: string;
  readonly lead_id?: string;
}

interface Tombstone {
  readonly _id: string;
  readonly erased_at?: Date;
}

/** Everything in a conversation that a visitor or an agent has written. */
const WRITTEN = {
  ...{ contact: 1, session: 1, subject: 1, last_message: 1, untold: 1, untold_at: 1 },
  ...{ unlinked_keys: 1, link_due_at: 1 },
} as const;

export function createErasedTraces(connection: Connection): ErasedTraces {
  const of = <T extends mongo.Document>(name: string) => connectedDb(connection).collection<T>(name);
  return {
    async removeConversations(account_id, lead_id) {
      const linked = of<LinkedConversation>('conversations').find({ account_id, lead_id });
      for await (const { _id, channel_id } of linked.project<LinkedConversation>({ channel_id: 1 })) {
        // First the record: the guard of a write that has loaded it before no longer fits.
        await of<LinkedConversation>('conversations').updateOne({ _id }, {
          $unset: WRITTEN,
          $inc: { revision: 1 },
        } as mongo.UpdateFilter<LinkedConversation>);
        await of('conversation_messages').deleteMany({ conversation_id: _id });
        await of('deliveries').updateMany(
          { source_id: channel_id, conversation_id: _id },
          { $unset: { request: 1 }, $set: { title: null } },
        );
      }
    },
    async linkedConversations(account_id, lead_id) {
      const linked = of<LinkedConversation>('conversations').find({ account_id, lead_id });
      return (await linked.project<LinkedConversation>({ _id: 1 }).toArray()).map(({ _id }) => _id);
    },
    async erasedAt(conversationIds) {
      const linked = await of<LinkedConversation>('conversations')
        .find({ _id: { $in: [...conversationIds] }, lead_id: { $exists: true } })
        .project<LinkedConversation>({ lead_id: 1 })
        .toArray();
      const leadIds = [...new Set(linked.flatMap(({ lead_id }) => lead_id ?? []))];
      if (leadIds.length === 0) return new Map();
      const erased = await of<Tombstone>('leads')
        .find({ _id: { $in: leadIds }, erased_at: { $exists: true } })
        .project<Tombstone>({ erased_at: 1 })
        .toArray();
      const times = new Map(erased.map(({ _id, erased_at }) => [_id, erased_at?.getTime() ?? 0]));
      return new Map(
        linked.flatMap(({ _id, lead_id = '' }): [string, number][] => {
          const at = times.get(lead_id);
          return at === undefined ? [] : [[_id, at]];
        }),
      );
    },
  };
}
