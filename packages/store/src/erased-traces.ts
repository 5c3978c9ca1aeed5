import type { Connection, mongo } from 'mongoose';
import { connectedDb } from './connected-db.ts';

/** What other collections have of a lead that is erased. */
export interface ErasedTraces {
  /**
   * Removes contact, session data and messages of the lead's conversations, their untold changes, and the stored requests of
   * their deliveries. The conversations stay, without content. Idempotent.
   */
  removeConversations(accountId: string, leadId: string): Promise<void>;
}

interface LinkedConversation {
  readonly _id: string;
  readonly channel_id: string;
}

/** Everything in a conversation that a visitor or an agent has written. */
const WRITTEN = { contact: 1, session: 1, subject: 1, last_message: 1, untold: 1, untold_at: 1 } as const;

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
  };
}
